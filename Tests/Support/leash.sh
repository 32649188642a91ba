#!/bin/bash
# Runs a program that must not outlive a test process.
#
#   leash.sh PROGRAM [ARGUMENT ...]
#
# Prints "pid N" first, so that the test can signal the program itself, and ends with the program's status. When
# standard input ends, because the test is done or was killed, the program is killed.
set -u
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
echo "pid $program"
# The subshell starts no program, because that would outlive the subshell and keep the output open.
(while read -r <&3; do :; done; kill -KILL "$program" 2>/dev/null) &
watch=$!
wait "$program"
status=$?
kill -KILL "$watch" 2>/dev/null
exit "$status"
