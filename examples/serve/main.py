# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The program cca-serve."""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys


def say(sentence):
    print(f"cca-serve: {sentence}", file=sys.stderr, flush=True)


def shard(text):
    i, slash, n = text.partition("/")
    if not (slash and i.isdecimal() and n.isdecimal() and 1 <= int(i) <= int(n)):
        raise argparse.ArgumentTypeError(f"it is a part of all, such as 1/4, not '{text}'")
    return int(i), int(n)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="cca-serve", description="Analyses any number of cameras and gives the results to "
        "MQTT, TCP, files, HTTP and Prometheus. It connects again by itself.",
        epilog="Signals: HUP reads CONFIG again and changes only what differs, TERM ends. Exit "
               "status: 0 ended by a signal, 1 it could not start or a stream did not end, 2 "
               "CONFIG or the options are wrong.")
    parser.add_argument("config", metavar="CONFIG", nargs="?", help="a file of YAML or JSON")
    parser.add_argument("--check", action="store_true",
                        help="only print the errors of CONFIG, each with its place")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of CONFIG")
    parser.add_argument("--device", metavar="NAME", help="auto, cpu, cuda or cuda:N, instead of "
                        "the one in CONFIG")
    parser.add_argument("--listen", metavar="HOST:PORT", help="address of the page, instead of the "
                        "one in CONFIG; port 0 is any free one")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N",
                        help="only part I of N of the streams, for several processes")
    options = parser.parse_args(arguments)
    if not options.config and not options.schema:
        parser.error("CONFIG is missing")
    return options


def choose_device(wanted):
    """Before GStreamer is initialised: its decoders and cudacca see one GPU only."""
    name, _, number = wanted.partition(":")
    if number:
        os.environ["CUDA_VISIBLE_DEVICES"] = number
    return name


async def run(options, device, outputs):
    from aiohttp.http_exceptions import HttpProcessingError
    from serve import config, http, service
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    # each request that is no HTTP would be a trace of the stack; it is answered by 400
    logging.getLogger("aiohttp.server").addFilter(
        lambda record: not (record.exc_info
                            and issubclass(record.exc_info[0], HttpProcessingError)))
    for name in signal.SIGINT, signal.SIGTERM:
        loop.add_signal_handler(name, stop.set)
    running = service.Service(options.config, device, options.shard,
                              config.Table(device), outputs)
    if options.listen:
        running.config["http"]["listen"] = options.listen
    server = http.Server(running)
    loop.add_signal_handler(signal.SIGHUP, lambda: running.task(running.reload()))
    try:
        address = await server.start()
        await running.start()
        if "token-file" in running.config["http"]:
            say(f"listening at {address}")
        else:
            say(f"listening at {address}?token={server.token}")
        await stop.wait()
    finally:
        await server.stop()
        await running.stop()
        if running.failed:
            os._exit(1)             # Python would wait for all threads


def main(arguments):
    options = parse(arguments)
    try:
        import yaml  # noqa: F401
        import aiohttp  # noqa: F401
        import paho.mqtt.client  # noqa: F401
        import prometheus_client  # noqa: F401
    except ImportError as error:
        say(f"{error.name} is missing: install the Debian packages python3-aiohttp, "
            "python3-paho-mqtt, python3-prometheus-client and python3-yaml")
        return 1
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
    from serve import config
    if options.schema:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader may want the first lines only
        print(json.dumps(config.SCHEMA, indent=1))
        return 0
    device = choose_device(options.device or config.device_of(options.config))
    Gst.init(None)
    if device == "auto":
        device = "cuda" if Gst.ElementFactory.find("cudacca") else "cpu"
    if device not in ("cpu", "cuda") or not Gst.ElementFactory.find(
            {"cpu": "cca", "cuda": "cudacca"}[device]):
        say(f"there is no device {device} here: it is auto, cpu, cuda or cuda:N, and cuda needs an "
            "NVIDIA GPU with its driver")
        return 1
    try:
        if options.check:
            config.load(options.config, config.Table(device))
            return 0
        asyncio.run(run(options, device, outputs()))
        return 0
    except config.Wrong as error:
        for line in error.errors:
            say(line)
        return 2


def outputs():
    from serve import files, lines, mqtt
    return {"mqtt": mqtt.Mqtt, "lines": lines.Lines, "files": files.Files}
