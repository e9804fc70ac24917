/*
 * Solvent for Tiled: checks a map when it is saved, and lists what is wrong in the Issues window.
 *
 * Install it with `solvent editor tiled --install`, or copy this file into Tiled's extensions folder (Edit >
 * Preferences > Plugins > Extensions > Open). Activate an issue (double-click) to select the tile or object.
 *
 * Settings are custom properties of the map, or of the project where Tiled has such:
 *   solventCommand      how to start Solvent, a program without arguments; or the environment variable
 *                       SOLVENT_COMMAND; otherwise "solvent"
 *   solventAsk          questions with commas between them, or "all"; otherwise those that suit the map
 *   solventSeconds      how long a check may take; 5 by default. Tiled waits for it.
 *   solventCheckOnSave  false: check this map from the menu alone
 *
 * Needs Tiled 1.5 or later. Written for Qt's script engine: no modules, nothing newer than ECMAScript 2016.
 */
(function () {
    "use strict";

    const LIMIT_SECONDS = 5;
    const SECONDS_TO_START = 3; // Python needs a moment before it begins to search
    const MAP_FILE = /\.(tmx|tmj|json|xml)$/i;
    const BAD_INPUT = 30;

    let hasSaidHowToInstall = false;

    function setting(map, name) {
        let value = map.property(name);
        if (value === undefined && tiled.project && typeof tiled.project.property === "function") {
            value = tiled.project.property(name);
        }
        return value === undefined || value === null || value === "" ? undefined : value;
    }

    function commandFor(map) {
        const given = setting(map, "solventCommand");
        if (given !== undefined) {
            return String(given);
        }
        const process = new Process();
        const fromEnvironment = process.getEnv("SOLVENT_COMMAND");
        process.close();
        return fromEnvironment || "solvent";
    }

    function folderOf(fileName) {
        const end = Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\"));
        return end < 0 ? "" : fileName.substring(0, end);
    }

    function nameOf(fileName) {
        return fileName.substring(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
    }

    // Run the command in the map's folder, where it finds its mapping and configuration.
    function run(map, command, seconds) {
        const words = ["editor", "check", nameOf(map.fileName), "--json", "--seconds", String(seconds)];
        const asked = setting(map, "solventAsk");
        if (asked !== undefined) {
            words.push("--ask", String(asked));
        }
        const process = new Process();
        process.codec = "UTF-8";
        process.setEnv("PYTHONUTF8", "1");
        process.workingDirectory = folderOf(map.fileName);
        try {
            if (!process.start(command, words)) {
                return { missing: true };
            }
            if (!process.waitForFinished((seconds + SECONDS_TO_START) * 1000)) {
                process.kill();
                return { late: true };
            }
            return { code: process.exitCode, output: process.readStdOut(), errors: process.readStdErr() };
        } finally {
            process.close();
        }
    }

    function layersOf(group, found) {
        for (let number = 0; number < group.layerCount; ++number) {
            const layer = group.layerAt(number);
            if (layer.isGroupLayer) {
                layersOf(layer, found);
            } else {
                found.push(layer);
            }
        }
        return found;
    }

    function findObject(map, id) {
        const layers = layersOf(map, []);
        for (let at = 0; at < layers.length; ++at) {
            if (layers[at].isObjectLayer) {
                const objects = layers[at].objects;
                for (let number = 0; number < objects.length; ++number) {
                    if (String(objects[number].id) === String(id)) {
                        return objects[number];
                    }
                }
            }
        }
        return null;
    }

    function centerOn(map, column, row) {
        const view = tiled.mapEditor ? tiled.mapEditor.currentMapView : null;
        if (!view) {
            return;
        }
        const point =
            typeof map.tileToScreen === "function"
                ? map.tileToScreen(column + 0.5, row + 0.5)
                : { x: (column + 0.5) * map.tileWidth, y: (row + 0.5) * map.tileHeight };
        view.centerOn(point.x, point.y);
    }

    // Show a place: the map may have been closed, or changed, since it was checked.
    function show(fileName, place) {
        const map = tiled.open(fileName);
        if (!map || !map.isTileMap) {
            return;
        }
        if (place.object) {
            const object = findObject(map, place.object);
            if (object) {
                if (object.layer) {
                    map.currentLayer = object.layer;
                }
                map.selectedObjects = [object];
            }
        }
        if (place.tile) {
            map.selectedArea.set(Qt.rect(place.tile[0], place.tile[1], 1, 1));
            centerOn(map, place.tile[0], place.tile[1]);
        }
    }

    function fileOf(map, place) {
        // A place names its map only where a world has several.
        return place.map && MAP_FILE.test(place.map) ? folderOf(map.fileName) + "/" + place.map : map.fileName;
    }

    function report(map, answer) {
        const here = "Solvent, " + nameOf(map.fileName) + ": ";
        if (answer.status !== "FAIL") {
            tiled.log(here + answer.message);
            return;
        }
        const places = answer.locations || [];
        const first = places[0];
        const fileName = map.fileName;
        tiled.warn(here + answer.message, function () {
            show(first ? fileOf({ fileName: fileName }, first) : fileName, first || {});
        });
        places.slice(1).forEach(function (place) {
            tiled.warn(here + answer.question + ", also " + place.description, function () {
                show(fileOf({ fileName: fileName }, place), place);
            });
        });
    }

    function complain(text, isAsked) {
        if (isAsked) {
            tiled.error(text, function () {});
        } else {
            tiled.log(text);
        }
    }

    // Check a map that is saved. What only a person who asked wants to know goes to the Console otherwise.
    function check(map, isAsked) {
        if (!MAP_FILE.test(map.fileName)) {
            complain("Solvent: save the map as .tmx or .tmj first.", isAsked);
            return;
        }
        const seconds = Number(setting(map, "solventSeconds")) || LIMIT_SECONDS;
        const command = commandFor(map);
        const result = run(map, command, seconds);
        if (result.missing) {
            const advice =
                "Solvent: cannot start '" + command + "'. Install it (pip install solvent), or name the program in the " +
                "map's property solventCommand or in the environment variable SOLVENT_COMMAND.";
            complain(advice, isAsked || !hasSaidHowToInstall);
            hasSaidHowToInstall = true;
        } else if (result.late) {
            complain("Solvent: no answer about " + nameOf(map.fileName) + " in time; raise solventSeconds.", isAsked);
        } else {
            let found = null;
            try {
                found = JSON.parse(result.output);
            } catch (error) {
                found = null;
            }
            if (found && found.answers) {
                found.answers.forEach(function (answer) {
                    report(map, answer);
                });
            } else {
                const said = String(result.errors || "").trim() || "it ended with code " + result.code;
                complain("Solvent, " + nameOf(map.fileName) + ": " + said, isAsked || result.code !== BAD_INPUT);
            }
        }
    }

    const checkNow = tiled.registerAction("SolventCheck", function () {
        const map = tiled.activeAsset;
        if (!map || !map.isTileMap) {
            complain("Solvent: open a map first.", true);
        } else if (!map.fileName || map.modified) {
            complain("Solvent: save the map first; the file is what is checked.", true);
        } else {
            check(map, true);
        }
    });
    checkNow.text = "Check with Solvent";

    const checkOnSave = tiled.registerAction("SolventCheckOnSave", function () {});
    checkOnSave.text = "Check with Solvent on Save";
    checkOnSave.checkable = true;
    checkOnSave.checked = true;

    tiled.extendMenu("Map", [
        { separator: true },
        { action: "SolventCheck" },
        { action: "SolventCheckOnSave" },
    ]);

    tiled.assetSaved.connect(function (asset) {
        if (checkOnSave.checked && asset.isTileMap && MAP_FILE.test(asset.fileName)) {
            if (setting(asset, "solventCheckOnSave") !== false) {
                check(asset, false);
            }
        }
    });
})();
