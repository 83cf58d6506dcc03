#!/bin/bash
# An array of workers for Slurm, each a job of its own that calls home: `sprague launch slurm` fills this in.
#
#   sprague launch slurm --access @ACCESS@ --workers @WORKERS@ --slots @SLOTS@ --threads @THREADS@ --memory @MEMORY@ > workers.sh
#   sbatch workers.sh
#
# Slurm decides when and where they run, and the coordinator notices. They stop when they are cancelled, or when
# their time is over; their units go to others.
#SBATCH --job-name=sprague
#SBATCH --array=1-@WORKERS@
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@CORES@
#SBATCH --mem=@JOB_MEBIBYTES@M
#SBATCH --time=@TIME@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=sprague-%A_%a.log
# Two minutes before the end this script is told, and tells the worker.
#SBATCH --signal=B:TERM@120
@EXTRA@
set -u
most_restarts=5
told=

# In a step of its own, so that a limit that ends the worker leaves this script.
srun --ntasks=1 --cpus-per-task=@CORES@ --kill-on-bad-exit=1 \
    @PROGRAM@ worker --access @ACCESS@ --slots @SLOTS@ --threads @THREADS@ --memory @MEMORY@ \
    --name "slurm-${SLURM_ARRAY_JOB_ID}-${SLURM_ARRAY_TASK_ID}" &
worker=$!

# Signals to a job go to its steps and not to this script.
tell() { told=yes; scancel --signal=TERM "$SLURM_JOB_ID"; }
trap tell TERM INT

# A trap ends the wait before the worker has ended.
wait "$worker"; code=$?
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; code=$?; done

# 2 is a command line or an access file that cannot be meant: it would not get better.
if [ -z "$told" ] && [ "$code" -ne 0 ] && [ "$code" -ne 2 ]; then
    if [ "${SLURM_RESTART_COUNT:-0}" -lt "$most_restarts" ]; then
        echo "the worker ended with $code: requeued" >&2
        scontrol requeue "$SLURM_JOB_ID"
    fi
fi
exit "$code"
