-- A store as version 1 writes it, with one answer. Never edited: newer versions have to read it as it is.
PRAGMA application_id = 1397511764;
PRAGMA user_version = 1;
CREATE TABLE machine (
    id INTEGER PRIMARY KEY,
    description TEXT NOT NULL UNIQUE
);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    token TEXT NOT NULL,
    state TEXT NOT NULL,
    began REAL NOT NULL,
    ended REAL,
    seconds REAL NOT NULL DEFAULT 0,
    command TEXT NOT NULL,
    settings TEXT NOT NULL,
    solver TEXT NOT NULL,
    machine INTEGER NOT NULL REFERENCES machine,
    leader TEXT NOT NULL,
    sources INTEGER,
    answers INTEGER
);
CREATE INDEX run_by_token ON run (token);
CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    size INTEGER,
    seal BLOB NOT NULL,
    packed BLOB NOT NULL
);
CREATE TABLE item (
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    path TEXT,
    line INTEGER,
    read_as TEXT NOT NULL,
    message TEXT NOT NULL,
    remarks TEXT NOT NULL,
    seconds REAL NOT NULL,
    instance INTEGER REFERENCES instance,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    superseded INTEGER NOT NULL DEFAULT 0,
    instance INTEGER NOT NULL REFERENCES instance,
    question TEXT NOT NULL,
    verdict TEXT,
    cause TEXT,
    certified INTEGER NOT NULL,
    form TEXT,
    expanded INTEGER,
    length INTEGER,
    seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    peak_megabytes REAL,
    attempts INTEGER NOT NULL,
    finished REAL NOT NULL,
    solver TEXT NOT NULL,
    machine INTEGER NOT NULL REFERENCES machine,
    reason TEXT NOT NULL,
    because TEXT NOT NULL,
    budget TEXT NOT NULL,
    stats TEXT NOT NULL,
    error TEXT NOT NULL,
    seal BLOB NOT NULL,
    certificate BLOB
);
CREATE UNIQUE INDEX answer_by_key ON answer (key) WHERE superseded = 0;
CREATE INDEX answer_superseded ON answer (id) WHERE superseded = 1;
CREATE TABLE run_answer (
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    question TEXT NOT NULL,
    answer INTEGER NOT NULL REFERENCES answer,
    PRIMARY KEY (run, number, question)
) WITHOUT ROWID;
CREATE INDEX run_answer_by_answer ON run_answer (answer);
INSERT INTO machine (id, description) VALUES (1, 'm');
INSERT INTO run (id, token, state, began, ended, seconds, command, settings, solver, machine, leader,
    sources, answers)
VALUES (1, 't', 'finished', 1700000000.0, 1700000001.0, 1.0, 'solvent validate x', '{"proof":true}', '1', 1, '- 1 -', 1, 1);
INSERT INTO instance (id, hash, domain, size, seal, packed)
VALUES (1, 'abc', 'chess', 64, x'd7978cb81ee990e5f90b870ea5f9b740519d0b41a676ae35ee3fc5d8252566fb', x'789c4bca4f2c4a010006160209');
INSERT INTO item (run, number, name, path, line, read_as, message, remarks, seconds, instance)
VALUES (1, 0, 'x.txt', 'x.txt', NULL, 'instance', '', '["assumed"]', 0.5, 1);
INSERT INTO answer (id, key, instance, question, verdict, cause, certified, form, expanded, length, seconds, cpu_seconds,
    peak_megabytes, attempts, finished, solver, machine, reason, because, budget, stats, error, seal,
    certificate)
VALUES (1, 'k', 1, 'mate', 'YES', NULL, 1, 'plan', 7, 3, 0.5, 0.5, 1.5, 1, 1700000000.5, '1+a', 1, '', '',
    '{"proof":true}', '{"expanded":7}', '',
    x'4e1e522fd06bd352b94dad232b14000e9d0d6900a8ee81c24798ee2cb6638a14', x'789cab562ac849cc53b28a8ead0500170d03da');
INSERT INTO run_answer (run, number, question, answer) VALUES (1, 0, 'mate', 1);
