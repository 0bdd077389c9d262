# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Records as lines of JSON, to all who connect over TCP."""

import asyncio
import json
import socket

from serve import config



class Lines:
    def __init__(self, data, service):
        self.data, self.service, self.dropped = data, service, 0
        self.limit = data["buffer-kb"] << 10
        self.clients, self.missed = set(), {}
        self.server = None

    async def start(self):
        """Raises config.Wrong."""
        host, _, port = self.data["listen"].rpartition(":")
        try:
            self.server = await asyncio.start_server(self.serve, host.strip("[]"), int(port))
        except (OSError, OverflowError) as error:
            raise config.Wrong([f"outputs.lines.listen: {self.data['listen']}: "
                                f"{getattr(error, 'strerror', None) or error}"]) from None

    async def stop(self):
        self.server.close()
        for writer in list(self.clients):
            writer.close()

    async def serve(self, reader, writer):
        """Until the client ends the connection. Bytes from the client are dropped."""
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.limit)
        writer.transport.set_write_buffer_limits(self.limit)
        self.clients.add(writer)
        try:
            while await reader.read(4096):
                pass
        except ConnectionError:
            pass
        finally:
            self.clients.discard(writer)
            self.missed.pop(writer, None)
            writer.close()

    def wants(self, kind):
        return kind in self.data["records"] and (kind != "components" or bool(self.clients))

    def take(self, each, kind, record):
        line = record if kind == "components" else json.dumps(record).encode() + b"\n"
        for writer in list(self.clients):
            missed = self.missed.get(writer, 0)
            if writer.is_closing():
                continue
            if writer.transport.get_write_buffer_size() + len(line) > self.limit:
                self.missed[writer] = missed + 1
                self.dropped += 1
                each.totals.add("dropped")
                continue
            if missed:
                writer.write(json.dumps({"dropped": self.missed.pop(writer)}).encode() + b"\n")
            writer.write(line)

    def forget(self, each):
        pass
