# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""All streams and outputs of a process."""

import asyncio
import concurrent.futures
import copy
import sys
import time
import traceback
import zlib

from serve import config, pipeline, state, stream

TICK = 0.05                     # seconds in which records wait
SAVE, SAVE_BACKGROUNDS = 10, 60     # seconds between two times
THREADS = 32                    # that connect and disconnect
STUCK = 10                      # seconds in which none of many tasks ends


class Service:
    def __init__(self, path, device, shard, table, outputs):
        self.path, self.device, self.shard, self.table = path, device, shard, table
        self.kinds = outputs            # classes of outputs by their names
        self.streams, self.outputs, self.listeners = {}, {}, set()
        self.config, self.checker = config.load(path, table)
        self.options = {"device": device, **{key: self.config["http"][key] for key in
                                             ("picture-rate", "picture-width")}}
        self.state, self.saved, self.clean = None, {}, True
        self.tasks, self.began = set(), time.time()
        self.pool = concurrent.futures.ThreadPoolExecutor(THREADS)
        self.changing = asyncio.Lock()
        self.loop, self.started = None, False
        self.failed = False             # a task or a stream has not ended in order

    @staticmethod
    def say(sentence):
        print(f"cca-serve: {sentence}", file=sys.stderr, flush=True)

    def task(self, coroutine):
        task = asyncio.create_task(coroutine, name=coroutine.__name__)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def ask(self, function, *arguments):
        """A task that is cancelled waits for the end of the function: a pipeline and a file have
        one user at a time, and no pipeline is lost that is being made."""
        work = self.loop.run_in_executor(self.pool, function, *arguments)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    # --- life -------------------------------------------------------------

    def load_state(self):
        """Raises config.Wrong."""
        if not self.config["state"]:
            self.say("without state in the configuration, counts and backgrounds begin anew "
                     "after a restart")
            return
        self.state = state.State(self.config["state"])
        try:
            self.saved, self.clean = self.state.load()
        except BlockingIOError:
            raise config.Wrong([f"{self.state.folder} is the state of another process that runs"]) \
                from None
        except OSError as error:
            raise config.Wrong([f"{self.state.folder}: {error.strerror}"]) from None
        except (ValueError, KeyError, TypeError) as error:
            raise config.Wrong([f"{self.state.path} is damaged ({error}): remove it to begin at "
                                "0"]) from None
        if not self.clean:
            self.say(f"the last run was interrupted: up to {SAVE} s of counts and "
                     f"{SAVE_BACKGROUNDS} s of the background are lost, and ids leave a gap")

    async def start(self):
        self.loop = asyncio.get_running_loop()
        self.load_state()
        if self.state and not await self.ask(self.save):
            raise config.Wrong([f"{self.state.path}: {self.state.error}"])
        await self.set_outputs(self.config["outputs"])
        for name, data in self.config["streams"].items():
            if self.is_mine(name):
                self.add(name, data)
        for work in self.pump(), self.look(), self.keep():
            self.task(self.guard(work))
        self.started = True

    async def guard(self, work):
        """An error of the program ends it, so that it is started again."""
        try:
            await work
        except Exception:           # pylint: disable=broad-except
            traceback.print_exc()
            self.loop.stop()

    async def stop(self):
        for task in list(self.tasks):
            task.cancel()
        await self.until_ended(self.tasks)
        await self.until_ended([asyncio.create_task(each.stop(), name=name)
                                for name, each in self.streams.items()])
        pipeline.context.forget()
        if self.state and not await self.ask(self.save, True):
            self.say(f"{self.state.path}: {self.state.error}")
        for output in self.outputs.values():
            await output.stop()
        self.pool.shutdown(wait=False)

    async def until_ended(self, tasks):
        """Waits as long as some of them end."""
        left = set(tasks)
        while left:
            done, _ = await asyncio.wait(left, timeout=STUCK, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if not task.cancelled() and task.exception():
                    self.failed = True
                    traceback.print_exception(task.exception())
            if not done:
                self.failed = True
                self.say(f"{', '.join(task.get_name() for task in left)}: no end within {STUCK} s")
                return
            left -= done

    def is_mine(self, name):
        i, n = self.shard
        return zlib.crc32(name.encode()) % n == i - 1

    def background(self, name):
        return self.state.background(name) if self.state else None

    # --- what goes on all the time ----------------------------------------

    async def pump(self):
        while True:
            await asyncio.sleep(TICK)
            for each in list(self.streams.values()):
                each.drain()
                await asyncio.sleep(0)

    async def look(self):
        """Counts that have changed."""
        told = {}
        while True:
            await asyncio.sleep(1)
            told = {name: told.get(name) for name in self.streams}
            for name, each in list(self.streams.items()):
                counts = each.counts()
                if each.tried and counts != told[name]:
                    told[name] = counts
                    self.tell(each, "counts", {"utc": time.time_ns(), **copy.deepcopy(counts)})

    def save(self, clean=False):
        streams = self.saved | {name: each.totals.save() for name, each in
                                list(self.streams.items())}
        return self.state.save(streams, clean)

    async def keep(self):
        """Writes the state."""
        failed, background_at = None, time.monotonic()
        while self.state:
            await asyncio.sleep(SAVE)
            await self.ask(self.save)
            if self.state.error != failed:
                failed = self.state.error
                self.say(f"{self.state.path}: {failed or 'it is written again'}")
            if time.monotonic() - background_at >= SAVE_BACKGROUNDS:
                background_at = time.monotonic()
                for name, each in list(self.streams.items()):
                    if each.pipeline and each.status == "on":
                        await self.ask(each.pipeline.save_background, self.background(name))

    # --- records ----------------------------------------------------------

    def wants_components(self, each):
        return "components" in each.data["publish"] and any(
            output.wants("components") for output in self.outputs.values())

    def tell(self, each, kind, record):
        if kind in config.RECORDS and kind not in each.data["publish"]:
            return
        for output in self.outputs.values():
            if output.wants(kind):
                output.take(each, kind, record)
        if kind != "components":
            for listener in list(self.listeners):
                listener(each, kind, record)

    def ready(self):
        """Whether each stream has had its first attempt."""
        return self.started and all(each.tried for each in self.streams.values())

    # --- configuration ----------------------------------------------------

    def add(self, name, data):
        self.streams[name] = stream.Stream(name, data, self, self.saved.get(name), self.clean)
        self.streams[name].start()

    async def remove(self, name):
        each = self.streams.pop(name)
        await each.stop()
        self.saved.pop(name, None)
        if self.state:
            self.state.forget(name)
        for output in self.outputs.values():
            output.forget(each)

    async def set_outputs(self, wanted):
        for name in list(self.outputs):
            if wanted.get(name) != self.outputs[name].data:
                await self.outputs.pop(name).stop()
        for name, data in wanted.items():
            if name not in self.outputs and name in self.kinds:
                output = self.kinds[name](data, self)
                await output.start()
                self.outputs[name] = output
        for each in self.streams.values():
            each.list_components()

    async def reload(self):
        """Reads the file again and changes only what differs. An error changes nothing."""
        async with self.changing:
            try:
                new, checker = await self.ask(config.load, self.path, self.table)
            except config.Wrong as error:
                self.say(f"the configuration stays as it is:\n{error}")
                return
            for key in "device", "http", "state":
                if new[key] != self.config[key]:
                    self.say(f"{key} has changed in {self.path}: restart to use it")
                    new[key] = self.config[key]
            try:
                await self.set_outputs(new["outputs"])
            except config.Wrong as error:
                self.say(str(error))
            wanted = {name: data for name, data in new["streams"].items() if self.is_mine(name)}
            for name in self.streams.keys() - wanted.keys():
                await self.remove(name)
            for name, data in wanted.items():
                if name not in self.streams:
                    self.add(name, data)
                elif self.streams[name].data != data:
                    await self.streams[name].change(data)
            self.config, self.checker = new, checker
            self.say("the configuration was read again")
