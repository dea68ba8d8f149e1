"""One command from its start to its exit, seen from a parent so small that it shows in no figure.

    python -I -S launch.py STDIN COMMAND…

prints {"wall_s", "cpu_s", "peak_kib", "code", "output"} of the command alone.
"""

import json
import os
import subprocess
import sys
import time

began = time.perf_counter()
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(sys.argv[1].encode())
child.stdin.close()
output = child.stdout.read()
_, status, used = os.wait4(child.pid, 0)
print(
    json.dumps(
        {
            "wall_s": time.perf_counter() - began,
            "cpu_s": used.ru_utime + used.ru_stime,
            "peak_kib": used.ru_maxrss // (1024 if sys.platform == "darwin" else 1),
            "code": os.waitstatus_to_exitcode(status),
            "output": output.decode(errors="replace"),
        }
    )
)
