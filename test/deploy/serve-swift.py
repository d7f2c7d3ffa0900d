"""Runs OpenStack Swift with its S3 interface on one machine, for tests: serve-swift.py FOLDER MEMCACHED-PORT

All four of its servers share this process: most of their time goes into starting. Prints the port of the interface
once it answers. Ends with its standard input, so that it never outlives the test.
"""
import os
import pwd
import sys

import eventlet
import eventlet.hubs
import eventlet.wsgi
from swift.common.utils import eventlet_monkey_patch

eventlet_monkey_patch()

from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

folder, memcached = sys.argv[1:]

common = f"""
[DEFAULT]
user = {pwd.getpwuid(os.getuid()).pw_name}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = WARNING
"""

storage = """
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""

proxy = f"""
[pipeline:main]
pipeline = catch_errors proxy-logging cache s3api tempauth copy dlo slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{memcached}
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:dlo]
use = egg:swift#dlo
[filter:slo]
use = egg:swift#slo
"""


def serve(kind, text):
    """Starts a server on a free port, and returns the port."""
    listener = eventlet.listen(("127.0.0.1", 0))
    conf = f"{folder}/{kind}.conf"
    with open(conf, "w") as file:
        file.write(common + text)
    app = loadapp(conf, global_conf={"log_name": kind})
    options = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False, "log_output": False}
    eventlet.spawn(eventlet.wsgi.server, listener, app, **options)
    return listener.getsockname()[1]


def write_ring(kind, port):
    """Says that all of a kind is kept once, on the one device of the server at a port."""
    ring = RingBuilder(part_power=6, replicas=1, min_part_hours=0)
    ring.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "one", "weight": 1})
    ring.rebalance()
    ring.get_ring().save(f"{folder}/{kind}.ring.gz")


os.makedirs(f"{folder}/devices/one")
for kind in ("account", "container", "object"):
    write_ring(kind, serve(kind, storage.format(kind=kind)))
print(serve("proxy", proxy), flush=True)
eventlet.hubs.trampoline(sys.stdin.fileno(), read=True)
