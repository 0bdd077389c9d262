// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-cudacca authors
//
// The page of examples/tune. All state is the server's: the page sends changes, and draws what
// comes back, so that several pages agree.

"use strict";

const $ = (id) => document.getElementById(id);
const SEND_EVERY = 80;          // ms between two changes of a slider
const SLIDER = 1000;            // steps of a slider
const SHOWN = 12000;            // ms for which a warning stays

let state = null;
let groups = [];
let about = null;               // the frame that is shown
let columns = new Map();        // of the strip
let progress = 0;

// --- the server ------------------------------------------------------------

function say(text) {
  $("said").textContent = text;
  $("said").hidden = !text;
  clearTimeout(say.timer);
  if (text)
    say.timer = setTimeout(() => say(""), SHOWN);
}

async function post(name, data) {
  try {
    const reply = await fetch(name, { method: "POST", body: JSON.stringify(data || {}) });
    const result = await reply.json();
    if (!reply.ok) {
      say(result.error);
      if (state)
        showState(state);
      return false;
    }
    say("");
    showState(result);
    return true;
  } catch (error) {
    say("examples/tune does not answer: is it still running?");
    return false;
  }
}

function connect(pause) {
  const url = new URL("socket", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { pause = 500; };
  socket.onmessage = (event) => {
    if (typeof event.data === "string")
      take(JSON.parse(event.data));
    else
      showFrame(event.data);
  };
  socket.onclose = () => {
    showStatus("examples/tune does not answer; trying again", true);
    setTimeout(() => connect(Math.min(2 * pause, 8000)), pause);
  };
}

function take(message) {
  if (message.type === "properties") {
    groups = message.groups;
    buildPresets(message.presets);
    buildGroups();
  } else if (message.type === "state") {
    showState(message);
  } else if (message.type === "strip") {
    if (message.reset)
      columns.clear();
    for (const [column, value] of Object.entries(message.columns))
      columns.set(Number(column), value);
    progress = message.progress;
    drawStrip();
  } else if (message.type === "found") {
    showFound(message);
  } else if (message.type === "progress") {
    $("searched").value = message.part;
    $("search-text").textContent = message.text;
  } else if (message.type === "say") {
    say(message.text);
  }
}

// --- pictures --------------------------------------------------------------

const waiting = { busy: false, next: null };

async function showFrame(data) {
  if (waiting.busy) {
    waiting.next = data;
    return;
  }
  waiting.busy = true;
  const length = new DataView(data).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const begin = 4 + length;
  try {
    const [picture, mask] = await Promise.all([
      createImageBitmap(new Blob([new Uint8Array(data, begin, header.picture)])),
      createImageBitmap(new Blob([new Uint8Array(data, begin + header.picture, header.mask)])),
    ]);
    paint($("picture"), picture);
    paint($("mask"), mask);
    about = header;
    showAbout();
  } finally {
    waiting.busy = false;
  }
  const next = waiting.next;
  waiting.next = null;
  if (next)
    showFrame(next);
}

function paint(canvas, bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
}

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(2).padStart(5, "0")}`;
}

function showAbout() {
  $("found").textContent = `${about.found} component${about.found === 1 ? "" : "s"}`;
  $("time").textContent = clock(about.time);
  $("flags").textContent = about.flags.map((flag) => flag.replace("_", " ")).join(", ");
  showCounts();
  drawStrip();
  if (state.marks.spans.length)
    drawHandles();
}

// --- the strip -------------------------------------------------------------

const COLUMNS = 1200;

function duration() {
  return state && state.video.duration || 0;
}

function drawStrip() {
  const canvas = $("strip");
  const width = canvas.clientWidth * devicePixelRatio, height = 84 * devicePixelRatio;
  if (!width)
    return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const band = 8 * devicePixelRatio, top = height - band - 2;
  let most = 1, largest = 1;
  for (const [found, area] of columns.values()) {
    most = Math.max(most, found);
    largest = Math.max(largest, area);
  }
  const at = (seconds) => seconds / (duration() || 1) * width;
  if (state && state.span) {
    context.fillStyle = "#2a313b";
    context.fillRect(at(state.span[0]), 0, at(state.span[1]) - at(state.span[0]), height);
  }
  // a short file has fewer frames than the strip has columns
  const keys = [...columns.keys()].sort((a, b) => a - b);
  keys.forEach((column, i) => {
    const [found, , flags] = columns.get(column);
    const gap = i + 1 < keys.length ? keys[i + 1] - column : 1;
    const x = column / COLUMNS * width, wide = Math.min(gap, 24) / COLUMNS * width + 0.5;
    context.fillStyle = "#ffd000";
    context.fillRect(x, top - found / most * top, wide, found / most * top);
    context.fillStyle = flags & 4 ? "#ff6a5a" : flags & 2 ? "#ff9f40" : "#8b95a3";
    if (flags)
      context.fillRect(x, height - band, wide, band);
  });
  context.strokeStyle = "#6fb6ff";
  context.lineWidth = 1.5 * devicePixelRatio;
  context.beginPath();
  for (const column of keys) {
    const y = top - columns.get(column)[1] / largest * (top - 2);
    context.lineTo(column / COLUMNS * width, y);
  }
  context.stroke();
  for (const span of state && duration() ? state.marks.spans : []) {
    context.fillStyle = MARKS[span.kind];
    context.fillRect(at(span.from), 0, Math.max(2, at(span.to) - at(span.from)), 5 * devicePixelRatio);
  }
  if (about) {
    context.fillStyle = "#ffffff";
    context.fillRect(at(about.time) - devicePixelRatio, 0, 2 * devicePixelRatio, height);
    canvas.setAttribute("aria-valuenow", about.time.toFixed(2));
    canvas.setAttribute("aria-valuetext", clock(about.time));
  }
  canvas.setAttribute("aria-valuemax", duration().toFixed(2));
  $("progress").value = progress;
  $("progress").hidden = progress >= 1;
  $("analysed").textContent = progress < 1 ? "analysing the file" : `at most ${most} components`;
}

function seek(seconds) {
  post("play", { action: "seek", at: Math.min(Math.max(0, seconds), duration()) });
}

$("strip").addEventListener("click", (event) => {
  seek(event.offsetX / $("strip").clientWidth * duration());
});
$("strip").addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
  if (by && about) {
    event.preventDefault();
    seek(about.time + by);
  } else if (event.key === "Home") {
    seek(0);
  }
});
new ResizeObserver(drawStrip).observe($("strip"));

// --- playback --------------------------------------------------------------

$("play").onclick = () => post("play", { action: state.playing ? "pause" : "play" });
$("step").onclick = () => post("play", { action: "step" });
$("view").onchange = () => post("view", { view: $("view").value });
$("loop").onchange = () => span(state.span && state.span[0], state.span && state.span[1]);
$("all").onclick = () => span(null, null);
$("from").onclick = () => {
  const end = state.span && state.span[1] > about.time ? state.span[1] : duration();
  span(about.time, end);
};
$("to").onclick = () => {
  const begin = state.span && state.span[0] < about.time ? state.span[0] : 0;
  span(begin, about.time);
};

function span(from, to) {
  post("span", { from, to, loop: $("loop").checked });
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" &&
      event.target.type !== "number" && event.target.type !== "text") {
    event.preventDefault();
    post(event.shiftKey ? "redo" : "undo");
  }
});

// --- what the state shows --------------------------------------------------

function showStatus(text, bad) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

// Answers and the socket overtake each other.
function showState(next) {
  if (state && next.number < state.number)
    return;
  state = next;
  const video = state.video;
  document.title = `tune: ${video.name}`;
  $("video").textContent =
    `${video.name} · ${video.width}×${video.height} · ${+video.rate.toFixed(2)} frames/s`;
  const bad = state.status === "lost" || state.status === "failed";
  showStatus({ on: state.playing ? "playing" : "paused", replaying: "analysing …" }[state.status] ||
             (state.message ? `${state.status}: ${state.message}` : state.status), bad);
  for (const element of document.querySelectorAll(".file"))
    element.hidden = video.camera;
  $("play").textContent = state.playing ? "Pause" : "Play";
  $("loop").checked = state.loops;
  $("all").disabled = !state.span;
  $("view").value = state.view;
  const mode = state.settings.cca.foreground || "threshold";
  $("view").querySelector("[value=background]").disabled =
    mode !== "sigma-delta" && mode !== "difference";
  $("undo").disabled = !state.undo;
  $("redo").disabled = !state.redo;
  $("cpu").value = state.launch.cpu;
  $("gpu").value = state.launch.gpu;
  for (const control of controls)
    control.show();
  for (const details of document.querySelectorAll("#groups details")) {
    const n = details.querySelectorAll(".property.changed").length;
    details.querySelector(".count").textContent = n ? ` · ${n} changed` : "";
    details.hidden = !details.querySelector(".property:not([hidden])");
  }
  showShapes();
  showMarks();
  drawStrip();
}

// --- controls --------------------------------------------------------------

let controls = [];

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// From a position of the slider to a value and back: wide ranges are logarithmic.
function scale(property) {
  const low = property.minimum, span = property.slider - low;
  if (span <= 200) {
    return { steps: span, value: (x) => low + x, position: (v) => v - low };
  }
  return {
    steps: SLIDER,
    value: (x) => low + Math.round(Math.pow(span + 1, x / SLIDER) - 1),
    position: (v) => Math.round(Math.log(v - low + 1) / Math.log(span + 1) * SLIDER),
  };
}

class Control {
  constructor(element, property) {
    this.element = element;
    this.property = property;
    this.timer = 0;
    const id = `${element}-${property.name}`;
    this.input = this.build(id);
    this.reset = make("button", { className: "reset", textContent: "Default" });
    this.reset.setAttribute("aria-label", `${property.title}: default`);
    this.reset.onclick = () => this.send(null);
    const label = make("label", { htmlFor: id, textContent: property.title });
    label.title = property.name;
    this.root = make("div", { className: "property" },
      make("div", { className: "head" }, label, this.reset), this.set,
      make("p", { className: "blurb", id: `${id}-blurb`, textContent: property.blurb }));
    this.root.dataset.name = property.name;
    this.input.setAttribute("aria-describedby", `${id}-blurb`);
    if (!property.live)
      this.root.querySelector(".blurb").append(" (a change starts the video again)");
  }

  build(id) {
    const { kind, values, minimum, maximum } = this.property;
    this.unit = make("span", { className: "unit" });
    if (kind === "boolean") {
      const box = make("input", { type: "checkbox", id });
      box.onchange = () => this.send(box.checked);
      this.set = make("div", { className: "set" }, box);
      return box;
    }
    if (kind === "choice") {
      const select = make("select", { id });
      for (const [nick, meaning] of Object.entries(values))
        select.append(make("option", { value: nick, textContent: nick, title: meaning }));
      select.onchange = () => this.send(select.value);
      this.set = make("div", { className: "set" }, select);
      return select;
    }
    const field = make("input", { type: "number", id, min: minimum, max: maximum, step: 1 });
    field.onchange = () => this.send(field.value === "" ? null : Number(field.value));
    this.scale = scale(this.property);
    this.range = make("input", { type: "range", min: 0, max: this.scale.steps, step: 1 });
    this.range.setAttribute("aria-label", this.property.title);
    this.range.oninput = () => {
      const value = this.scale.value(Number(this.range.value));
      field.value = value;
      this.showUnit(value);
      this.later(value);
    };
    this.set = make("div", { className: "set" }, this.range, field, this.unit);
    return field;
  }

  later(value) {
    this.pending = value;
    if (!this.timer)
      this.timer = setTimeout(() => { this.timer = 0; this.send(this.pending); }, SEND_EVERY);
  }

  send(value) {
    const { name } = this.property;
    post("settings", { change: { [this.element]: { [name]: value } },
                       key: `${this.element}.${name}` });
  }

  value() {
    const value = state.settings[this.element][this.property.name];
    return value === undefined ? this.property.default : value;
  }

  show() {
    const { name, kind, modes } = this.property;
    const mode = state.settings.cca.foreground || "threshold";
    this.root.hidden = Boolean(modes && !modes.includes(mode));
    const changed = state.settings[this.element][name] !== undefined;
    this.root.classList.toggle("changed", changed);
    this.reset.hidden = !changed;
    if (this.timer)
      return;
    const value = this.value();
    if (kind === "boolean") {
      this.input.checked = value;
    } else if (kind === "choice") {
      this.input.value = value;
    } else {
      const none = value > Number.MAX_SAFE_INTEGER;
      if (document.activeElement !== this.input || !this.input.matches(":focus") ||
          Number(this.input.value) !== value)
        this.input.value = none ? "" : value;
      this.input.placeholder = none ? "no limit" : "";
      this.range.value = Math.min(this.scale.steps, this.scale.position(value));
      this.showUnit(none ? null : value);
    }
  }

  // Times also in seconds at the rate of the video.
  showUnit(value) {
    const { unit } = this.property;
    let text = unit || "";
    if (value && state && unit === "frames")
      text += ` = ${+(value / state.video.rate).toFixed(2)} s`;
    if (value && state && unit === "ms")
      text += ` = ${+(value / 1000).toFixed(2)} s`;
    this.unit.textContent = text;
  }
}

function buildGroups() {
  controls = [];
  $("groups").replaceChildren();
  for (const group of groups) {
    const details = make("details", { open: true },
      make("summary", {}, group.title, make("span", { className: "count" })));
    for (const property of group.properties) {
      if (property.kind === "shapes")
        continue;
      const control = new Control(group.element, property);
      controls.push(control);
      details.append(control.root);
    }
    $("groups").append(details);
  }
}

function buildPresets(names) {
  $("preset").replaceChildren(
    ...["defaults", ...names].map((name) => make("option", { value: name, textContent: name })));
  $("preset").value = "motion";
}

$("apply").onclick = () => post("preset", { name: $("preset").value });
$("undo").onclick = () => post("undo");
$("redo").onclick = () => post("redo");

// --- drawing ---------------------------------------------------------------

const KINDS = {
  region: { element: "cca", property: "regions", least: 3, colour: "#7fdc8a" },
  exclusion: { element: "cca", property: "regions", least: 3, colour: "#d5dbe4" },
  zone: { element: "ccatrack", property: "zones", least: 3, colour: "#6fb6ff" },
  line: { element: "ccatrack", property: "lines", least: 2, colour: "#ff6a5a" },
};
const HINTS = {
  place: "Drag a box around one object, or around a place where nothing is.",
  smallest: "Drag a box around the smallest object that has to be found.",
  largest: "Drag a box around the largest object that may be found.",
};
const REACH = 12;               // pixels of the window from which a point can be taken
const LARGEST = 2;              // times the box of the largest object is max-area
const drawing = { tool: null, points: [], box: null, held: null, sent: null };

function kindOf(property, shape) {
  return property === "lines" ? "line" : property === "zones" ? "zone" :
    shape.type === "exclude" ? "exclusion" : "region";
}

// All shapes that were drawn: element, property, index and a copy.
function allShapes() {
  const found = [];
  for (const [element, property] of
       [["cca", "regions"], ["ccatrack", "zones"], ["ccatrack", "lines"]])
    (state.settings[element][property] || []).forEach((shape, index) =>
      found.push({ element, property, index, kind: kindOf(property, shape), shape }));
  return found;
}

function sendShapes(element, property, shapes) {
  return post("settings", { change: { [element]: { [property]: shapes.length ? shapes : null } } });
}

function replaceShape(found, shape) {
  const shapes = [...state.settings[found.element][found.property]];
  shapes.splice(found.index, 1, ...(shape ? [shape] : []));
  return sendShapes(found.element, found.property, shapes);
}

// A line may also be given by its ends.
function pointsOf(shape) {
  return shape.points || [shape.x1, shape.y1, shape.x2, shape.y2];
}

function withPoints(shape, points) {
  const { x1, y1, x2, y2, ...rest } = shape;
  return { ...rest, points };
}

function place(event) {
  const box = $("draw").getBoundingClientRect();
  return [Math.round((event.clientX - box.x) / box.width * state.video.width),
          Math.round((event.clientY - box.y) / box.height * state.video.height)];
}

function choose(tool) {
  Object.assign(drawing, { tool: drawing.tool === tool ? null : tool, points: [], box: null });
  showTools();
}

function showTools() {
  for (const button of document.querySelectorAll("[data-tool]")) {
    button.classList.toggle("on", button.dataset.tool === drawing.tool);
    button.setAttribute("aria-pressed", button.dataset.tool === drawing.tool);
  }
  const kind = KINDS[drawing.tool];
  $("done").hidden = !kind;
  $("draw").classList.toggle("active", Boolean(drawing.tool));
  $("hint").textContent = HINTS[drawing.tool] || (kind ?
    "Click the points on the picture, then press Done or Enter. Done without points puts one " +
    "in the middle. Escape cancels." : "");
  drawHandles();
}

async function finish() {
  const tool = drawing.tool, kind = KINDS[tool];
  let points = drawing.points.flat();
  const { width: w, height: h } = state.video;
  if (!points.length) {
    points = tool === "line" ? [w / 2, h, w / 2, 0] :
      [w / 4, h / 4, 3 * w / 4, h / 4, 3 * w / 4, 3 * h / 4, w / 4, 3 * h / 4];
    points = points.map(Math.round);
  }
  if (points.length < 2 * kind.least) {
    say(`A ${tool} needs at least ${kind.least} points.`);
    return;
  }
  const shapes = state.settings[kind.element][kind.property] || [];
  let n = 1;
  while (shapes.some((shape) => shape.name === `${tool}${n}`))
    n++;
  const shape = { name: `${tool}${n}`, points };
  if (tool === "exclusion")
    shape.type = "exclude";
  const drawn = drawing.points;
  if (drawing.sent === drawn)
    return;
  drawing.sent = drawn;
  const taken = await sendShapes(kind.element, kind.property, [...shapes, shape]);
  drawing.sent = null;
  if (taken && drawing.points === drawn)    // else the next one is being drawn
    choose(null);
}

function finishBox() {
  const [x0, y0, x1, y1] = drawing.box;
  const w = Math.abs(x1 - x0), h = Math.abs(y1 - y0);
  const tool = drawing.tool;
  choose(null);
  if (!w || !h)
    return;
  if (tool === "place") {
    marking.box = [Math.min(x0, x1), Math.min(y0, y1), w, h];
    showMarking();
    return;
  }
  const change = tool === "largest" ? { "max-area": Math.round(LARGEST * w * h) } : {
    "min-area": Math.max(1, Math.round(w * h / 4)),
    "open-radius": Math.min(7, Math.floor(Math.min(w, h) / 8)),
  };
  post("settings", { change: { cca: change } });
  $("hint").textContent = `An object of ${w}×${h}: ` +
    Object.entries(change).map(([name, value]) => `${name}=${value}`).join(", ");
}

$("draw").addEventListener("pointerdown", (event) => {
  const at = place(event);
  $("draw").setPointerCapture(event.pointerId);
  if (HINTS[drawing.tool]) {
    drawing.box = [...at, ...at];
    return;
  }
  if (KINDS[drawing.tool]) {
    drawing.points.push(at);
    drawHandles();
    return;
  }
  const scale = $("draw").getBoundingClientRect().width / state.video.width;
  for (const found of allShapes()) {
    const points = pointsOf(found.shape);
    for (let i = 0; i < points.length; i += 2)
      if (Math.hypot(points[i] - at[0], points[i + 1] - at[1]) * scale < REACH)
        drawing.held = { ...found, i, points: [...points] };
  }
});
$("draw").addEventListener("pointermove", (event) => {
  const at = place(event);
  if (drawing.box)
    drawing.box.splice(2, 2, ...at);
  else if (drawing.held)
    drawing.held.points.splice(drawing.held.i, 2, ...at);
  else
    return;
  drawHandles();
});
$("draw").addEventListener("pointerup", () => {
  const held = drawing.held;
  drawing.held = null;
  if (drawing.box)
    finishBox();
  else if (held)
    replaceShape(held, withPoints(held.shape, held.points));
});
$("draw").addEventListener("pointercancel", () => {
  Object.assign(drawing, { held: null, box: null });
  drawHandles();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drawing.tool)
    choose(null);
  else if (event.key === "Enter" && KINDS[drawing.tool] && event.target.tagName !== "BUTTON" &&
           event.target.tagName !== "INPUT")
    finish();
});
for (const button of document.querySelectorAll("[data-tool]"))
  button.onclick = () => choose(button.dataset.tool);
$("done").onclick = finish;

// The element draws the shapes with their names and counts; here are their points.
function drawHandles() {
  const canvas = $("draw");
  const ratio = devicePixelRatio, scale = canvas.clientWidth * ratio / state.video.width;
  if (!scale)
    return;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  const context = canvas.getContext("2d");
  context.lineWidth = 2 * ratio;
  const path = (points, colour, closed) => {
    context.strokeStyle = context.fillStyle = colour;
    context.beginPath();
    for (let i = 0; i < points.length; i += 2)
      context.lineTo(points[i] * scale, points[i + 1] * scale);
    if (closed)
      context.closePath();
    context.stroke();
    for (let i = 0; i < points.length; i += 2) {
      context.beginPath();
      context.arc(points[i] * scale, points[i + 1] * scale, 5 * ratio, 0, 7);
      context.fill();
    }
  };
  const held = drawing.held;
  for (const found of allShapes()) {
    const mine = held && held.property === found.property && held.index === found.index;
    path(mine ? held.points : pointsOf(found.shape), KINDS[found.kind].colour,
         found.kind !== "line");
  }
  if (drawing.points.length)
    path(drawing.points.flat(), "#ffd000", false);
  const frame = ([x, y, w, h], colour) => path([x, y, x + w, y, x + w, y + h, x, y + h], colour, true);
  for (const span of about ? state.marks.spans : [])
    if (span.box && span.from <= about.time && about.time < span.to)
      frame(span.box, MARKS[span.kind]);
  if (marking.box)
    frame(marking.box, "#ffd000");
  if (drawing.box) {
    const [x0, y0, x1, y1] = drawing.box;
    path([x0, y0, x1, y0, x1, y1, x0, y1], "#ffd000", true);
  }
}
new ResizeObserver(() => state && drawHandles()).observe($("draw"));

// The list is built again only if it differs, so that a field that is being edited stays.
let listed = "";

function showShapes() {
  const found = allShapes();
  const now = JSON.stringify(found);
  drawHandles();
  if (now === listed)
    return;
  listed = now;
  $("shapes").replaceChildren(...found.map((one) => {
    const { shape, kind } = one;
    const name = make("input", { type: "text", className: "name-field", value: shape.name });
    name.setAttribute("aria-label", `Name of ${shape.name}`);
    name.onchange = () => replaceShape(one, { ...shape, name: name.value });
    const points = make("input", { type: "text", className: "points",
                                   value: pointsOf(shape).join(", ") });
    points.setAttribute("aria-label", `Points of ${shape.name}`);
    points.onchange = () => replaceShape(
      one, withPoints(shape, points.value.split(/[ ,]+/).filter(Boolean).map(Number)));
    const remove = make("button", { textContent: "Delete" });
    remove.setAttribute("aria-label", `Delete ${shape.name}`);
    remove.onclick = () => replaceShape(one, null);
    const live = make("span", { className: "live" });
    live.dataset.kind = kind;
    live.dataset.name = shape.name;
    return make("div", { className: "shape" }, make("span", { className: "kind", textContent: kind }),
                name, points, live, remove);
  }));
  showCounts();
}

function showCounts() {
  for (const live of $("shapes").querySelectorAll(".live")) {
    const counts = about && (about[`${live.dataset.kind}s`] || {})[live.dataset.name];
    live.textContent = !counts ? "" : live.dataset.kind === "line" ?
      `left ${counts[0]}, right ${counts[1]}` : `inside ${counts[0]}`;
  }
}

// --- marks -------------------------------------------------------------------

const MARKS = { something: "#7fdc8a", nothing: "#ff9a8a" };
const FRAMES = 10;              // of a mark without a beginning
const marking = { from: null, box: null };
const TIMES = { from: "From", to: "To" };

function sendMarks(change) {
  const { version, spans, counts } = { ...state.marks, ...change };
  return post("marks", { version, spans, counts });
}

function showMarking() {
  const words = [];
  if (marking.from !== null)
    words.push(`The mark begins at ${clock(marking.from)}: go to its end.`);
  if (marking.box)
    words.push(`The next mark has the box ${marking.box.join(", ")}.`);
  $("mark-hint").textContent = words.join(" ") ||
    `Without a beginning a mark has ${FRAMES} frames, without a box the whole picture.`;
  $("begin").classList.toggle("on", marking.from !== null);
  drawHandles();
}

$("begin").onclick = () => {
  marking.from = marking.from === null ? about.time : null;
  showMarking();
};
for (const button of document.querySelectorAll("[data-mark]")) {
  button.onclick = async () => {
    const frame = 1 / state.video.rate;
    const from = marking.from === null ? about.time : Math.min(marking.from, about.time);
    const to = marking.from === null ? from + FRAMES * frame :
      Math.max(marking.from, about.time) + frame;
    // half a frame earlier, as times are rounded
    const span = { kind: button.dataset.mark, from: Math.max(0, +(from - frame / 2).toFixed(3)),
                   to: +(to - frame / 2).toFixed(3) };
    if (marking.box)
      span.box = marking.box;
    Object.assign(marking, { from: null, box: null });
    await sendMarks({ spans: [...state.marks.spans, span].sort((a, b) => a.from - b.from) });
    showMarking();
  };
}

function percent(part) {
  return `${Math.round(1000 * part) / 10} %`;
}

function figures(result) {
  const words = [];
  if (result.recall !== null)
    words.push(`recall ${percent(result.recall)}`);
  if (result.false !== null)
    words.push(`${result.false_events} false event${result.false_events === 1 ? "" : "s"}`,
               `false ${percent(result.false)}`);
  if (result.pieces)
    words.push(`pieces ${percent(result.pieces)}`);
  if (result.count_error !== null)
    words.push(`count error ${percent(result.count_error)}`);
  return words.join(", ");
}

function verdict(span, row) {
  if (!row)
    return ["", ""];
  const [frames, active, events, pieces] = row;
  if (!frames)
    return ["no frames", "bad"];
  if (span.kind === "something")
    return [`found in ${percent(active / frames)}` + (pieces ? `, ${pieces} pieces` : ""),
            active === frames && !pieces ? "good" : "bad"];
  return [active ? `${events} false event${events === 1 ? "" : "s"}, ${percent(active / frames)}` :
    "nothing found", active ? "bad" : "good"];
}

function spanRow(span, n) {
  const [text, look] = verdict(span, state.result && state.result.spans[n]);
  const replace = (change) =>
    sendMarks({ spans: state.marks.spans.map((one, i) => i === n ? change : one).filter(Boolean) });
  const time = (key) => {
    const field = make("input", { type: "number", className: "number", step: 0.01, min: 0,
                                  value: span[key] });
    field.setAttribute("aria-label", `${TIMES[key]}, in seconds`);
    field.onchange = () => replace({ ...span, [key]: Number(field.value) });
    return field;
  };
  const box = make("input", { type: "text", className: "box", placeholder: "whole picture",
                              value: (span.box || []).join(", ") });
  box.setAttribute("aria-label", "Box: x, y, width, height");
  box.onchange = () => {
    const values = box.value.split(/[ ,]+/).filter(Boolean).map(Number);
    replace({ ...span, box: values.length ? values : null });
  };
  const go = make("button", { textContent: "Go" });
  go.setAttribute("aria-label", `Go to ${clock(span.from)}`);
  go.onclick = () => seek((span.from + span.to) / 2);
  const remove = make("button", { textContent: "Delete" });
  remove.setAttribute("aria-label", `Delete the mark at ${clock(span.from)}`);
  remove.onclick = () => replace(null);
  return make("div", { className: "shape span" },
              make("span", { className: "kind", textContent: span.kind }), time("from"), time("to"),
              box, make("span", { className: `verdict ${look}`, textContent: text }), go, remove);
}

function countRow(name) {
  const n = state.marks.counts.findIndex((count) => count.line === name);
  const count = state.marks.counts[n], counted = state.result && state.result.counts[n];
  const fields = ["to-left", "to-right"].map((way) => {
    const field = make("input", { type: "number", className: "number", min: 0, step: 1,
                                  value: count ? count[way] : "", placeholder: way.slice(3) });
    field.setAttribute("aria-label", `True crossings of ${name} ${way.replace("-", " the ")}`);
    field.onchange = () => {
      const others = state.marks.counts.filter((one) => one.line !== name);
      const [left, right] = fields.map((one) => one.value);
      sendMarks({ counts: left === "" && right === "" ? others : [
        ...others, { ...count, line: name, "to-left": Number(left), "to-right": Number(right) }] });
    };
    return field;
  });
  const said = counted ? `counted left ${counted["to-left"]}, right ${counted["to-right"]}` : "";
  const good = counted && counted["to-left"] === count["to-left"] &&
    counted["to-right"] === count["to-right"];
  return make("div", { className: "shape" },
              make("span", { className: "kind", textContent: name }),
              make("span", { textContent: "true: left, right" }), ...fields,
              make("span", { className: `verdict ${good ? "good" : "bad"}`, textContent: said }));
}

let marked = "";

function showMarks() {
  $("search").disabled = state.searching;
  $("cancel").hidden = $("searched").hidden = !state.searching;
  if (!state.searching)
    $("search-text").textContent = "";
  const { spans, counts } = state.marks;
  const some = spans.length + counts.length > 0;
  $("score").textContent = !some ? "" : !state.result ? "comparing with the marks …" :
    state.result.score === null ? "No frame of the video is in a mark." :
      `Score ${state.result.score.toFixed(3)}: ${figures(state.result)}`;
  const lines = (state.settings.ccatrack.lines || []).map((line) => line.name);
  const now = JSON.stringify([state.marks, state.result, lines]);
  if (now !== marked) {
    marked = now;
    $("spans").replaceChildren(...spans.map(spanRow));
    $("counts").replaceChildren(...lines.map(countRow));
    showMarking();
  }
  showSweeps();
}

// --- the search --------------------------------------------------------------

let swept = "";

function showSweeps() {
  const now = JSON.stringify(state.sweeps);
  if (now === swept)
    return;
  swept = now;
  $("sweeps").replaceChildren(...Object.entries(state.sweeps).map(([name, values]) => {
    const field = make("input", { type: "text", id: `sweep-${name}`, value: values.join(", ") });
    field.dataset.name = name;
    return make("div", { className: "sweep" },
                make("label", { htmlFor: field.id, textContent: name }), field);
  }));
}

$("search").onclick = () => {
  const sweeps = {};
  for (const field of $("sweeps").querySelectorAll("input")) {
    const values = field.value.split(/[ ,]+/).filter(Boolean);
    if (values.length)
      sweeps[field.dataset.name] = values.map((value) => isNaN(value) ? value : Number(value));
  }
  $("searched").value = 0;
  post("search", { sweeps });
};
$("cancel").onclick = () => post("cancel");

function showFound({ best, times, sheet }) {
  const pictures = (n, what) => make("div", { className: "sheet" }, ...(sheet[n] || []).map(
    (data, i) => make("img", { src: `data:image/jpeg;base64,${data}`,
                               alt: `${what} at ${clock(times[i])}` })));
  const rows = best.map((row, n) => {
    const use = make("button", { textContent: "Apply" });
    use.setAttribute("aria-label", `Apply the settings with score ${row.result.score.toFixed(3)}`);
    use.onclick = () => post("use", { number: n });
    return make("li", {},
      make("p", { className: "row" },
           make("span", { className: "figures", textContent:
             `${row.result.score.toFixed(3)} · ${figures(row.result)}` +
             (row.present ? " (as before the search)" : "") }), use),
      make("code", { textContent:
        Object.entries(row.change).map(([name, value]) => `${name}=${value}`).join(" ") }),
      pictures(n + 1, "Components"));
  });
  if (rows.length)
    rows.unshift(make("li", {},
      make("p", { textContent: `The video at ${times.map(clock).join(", ")}` }),
      pictures(0, "The video")));
  $("best").replaceChildren(...rows);
}

$("load-marks").onchange = async () => {
  const data = await readJson($("load-marks"));
  if (data)
    post("marks", data);
};

// --- out and in ------------------------------------------------------------

for (const button of document.querySelectorAll("[data-copy]")) {
  button.onclick = async () => {
    const field = $(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch (error) {
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
}

async function readJson(input) {
  const [file] = input.files;
  if (!file)
    return null;
  try {
    return JSON.parse(await file.text());
  } catch (error) {
    say(`${file.name} is no JSON`);
    return null;
  } finally {
    input.value = "";
  }
}

$("load").onchange = async () => {
  const data = await readJson($("load"));
  if (data)
    post("load", data);
};

connect(500);
