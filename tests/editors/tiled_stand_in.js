// A small stand-in for the scripting interface of Tiled, as far as its documentation goes, that records what an
// extension does. Usage: node tiled_stand_in.js EXTENSION STEPS, where STEPS is a list in JSON of
//   {"save": FILE, "properties": {}}   an asset was saved
//   {"open": FILE, "modified": false}  an asset becomes the active one
//   {"trigger": ID}                    an action is chosen in the menu
//   {"activate": N}                    the issue with this number is double-clicked
// What is printed is one object in JSON. Anything that the extension calls and that is not here is an error.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { spawnSync } = require("child_process");

const record = { logs: [], issues: [], actions: {}, menus: {}, processes: [], shown: [] };

function strict(name, members) {
    return new Proxy(members, {
        get(target, key) {
            if (!(key in target) && typeof key === "string" && key !== "then" && key !== "toJSON") {
                throw new TypeError(name + " has no " + key);
            }
            return target[key];
        },
        set(target, key, value) {
            if (!(key in target)) {
                throw new TypeError(name + " has no " + String(key));
            }
            target[key] = value;
            return true;
        },
    });
}

function Process() {
    const environment = {};
    let result = null;
    let isClosed = false;
    const use = (work) => (...words) => {
        if (isClosed) {
            throw new Error("the process was closed");
        }
        return work(...words);
    };
    const made = strict("Process", {
        codec: "System",
        workingDirectory: "",
        get exitCode() {
            return result.status;
        },
        getEnv: use((name) => process.env[name] || ""),
        setEnv: use((name, value) => {
            environment[name] = value;
        }),
        start: use((program, words) => {
            const folder = made.workingDirectory;
            record.processes.push({ program, words, folder, codec: made.codec });
            const env = Object.assign({}, process.env, environment);
            result = spawnSync(program, words, { cwd: folder || undefined, env, encoding: "utf8" });
            return result.error === undefined;
        }),
        waitForFinished: use((milliseconds) => {
            record.processes[record.processes.length - 1].milliseconds = milliseconds;
            return !process.env.NEVER_FINISHES;
        }),
        kill: use(() => {
            record.processes[record.processes.length - 1].killed = true;
        }),
        readStdOut: use(() => result.stdout),
        readStdErr: use(() => result.stderr),
        close: () => {
            isClosed = true;
        },
    });
    return made;
}

// Objects of a map in XML, read with patterns: enough for the files that the tests write.
function objectsOf(text) {
    const found = [];
    const pattern = /<object id="(\d+)"[^>]*? x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g;
    for (let one = pattern.exec(text); one; one = pattern.exec(text)) {
        const [id, x, y, width, height] = one.slice(1).map(Number);
        found.push({ id, x, y, width, height });
    }
    return found;
}

const assets = {};
function assetOf(fileName, properties, modified) {
    if (assets[fileName]) {
        assets[fileName].modified = Boolean(modified);
        return assets[fileName];
    }
    const isTileMap = !/\.tsx$/.test(fileName);
    const text = fs.existsSync(fileName) ? fs.readFileSync(fileName, "utf8") : "";
    const layer = { isObjectLayer: true, isGroupLayer: false, isTileLayer: false, name: "objects", objects: [] };
    layer.objects = objectsOf(text).map((one) => Object.assign(one, { layer }));
    const group = { isGroupLayer: true, isObjectLayer: false, layerCount: 1, layerAt: () => layer };
    const tiles = { isGroupLayer: false, isObjectLayer: false, isTileLayer: true, name: "terrain" };
    const map = strict("TileMap", {
        fileName,
        isTileMap,
        modified: Boolean(modified),
        tileWidth: 16,
        tileHeight: 16,
        layerCount: 2,
        layerAt: (at) => [tiles, group][at],
        currentLayer: tiles,
        selectedObjects: [],
        selectedArea: strict("SelectedArea", {
            set: (rect) => record.shown.push({ fileName: path.basename(fileName), rect }),
        }),
        property: (name) => (properties || {})[name],
        tileToScreen: (x, y) => ({ x: x * 16, y: y * 16 }),
    });
    assets[fileName] = map;
    return map;
}

const saved = [];
const tiled = strict("tiled", {
    activeAsset: null,
    project: strict("Project", { property: () => undefined }),
    mapEditor: strict("MapEditor", {
        currentMapView: strict("MapView", { centerOn: (x, y) => record.shown.push({ centre: [x, y] }) }),
    }),
    assetSaved: strict("Signal", { connect: (callback) => saved.push(callback) }),
    open: (fileName) => {
        tiled.activeAsset = assetOf(fileName);
        return tiled.activeAsset;
    },
    log: (text) => record.logs.push(text),
    warn: (text, activated) => record.issues.push({ kind: "warning", text, activated }),
    error: (text, activated) => record.issues.push({ kind: "error", text, activated }),
    registerAction: (id, callback) => {
        record.actions[id] = strict("Action", { callback, text: "", checkable: false, checked: false });
        return record.actions[id];
    },
    extendMenu: (id, items) => {
        record.menus[id] = items;
        items.filter((item) => item.action).forEach((item) => {
            if (!record.actions[item.action]) {
                throw new Error("no such action: " + item.action);
            }
        });
    },
});

const sandbox = { tiled, Process, Qt: { rect: (x, y, width, height) => [x, y, width, height] } };
vm.createContext(sandbox);
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), sandbox, { filename: process.argv[2] });

JSON.parse(process.argv[3]).forEach((step) => {
    if (step.save) {
        const asset = assetOf(path.resolve(step.save), step.properties);
        saved.forEach((callback) => callback(asset));
    } else if (step.open) {
        tiled.activeAsset = assetOf(path.resolve(step.open), step.properties, step.modified);
    } else if (step.trigger) {
        const action = record.actions[step.trigger];
        if (action.checkable) {
            action.checked = !action.checked;
        }
        action.callback(action);
    } else {
        record.issues[step.activate].activated();
        const map = tiled.activeAsset;
        record.shown.push({ selected: map.selectedObjects.map((one) => one.id), layer: map.currentLayer.name });
    }
});
console.log(
    JSON.stringify({
        logs: record.logs,
        issues: record.issues.map(({ kind, text }) => ({ kind, text })),
        actions: Object.keys(record.actions).map((id) => [id, record.actions[id].text, record.actions[id].checked]),
        menus: record.menus,
        processes: record.processes,
        shown: record.shown,
    }),
);
