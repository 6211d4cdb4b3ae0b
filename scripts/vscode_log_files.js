// Stands where VS Code's server expects its native log module, which is not built here: without it the server and its
// extension host write no log at all, and a test could not say that there is no error in one.
const { appendFileSync, writeFileSync } = require("node:fs");

const levels = ["trace", "debug", "info", "warning", "error", "critical", "off"];
let level = 2;

class Logger {
  constructor(_kind, _name, path) {
    this.path = path;
    this.level = level;
    this.bare = false;
    writeFileSync(path, "", { flag: "a" });
  }

  write(severity, message) {
    if (severity < this.level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    appendFileSync(this.path, this.bare ? message : `${time} [${levels[severity]}] ${message}\n`);
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(value) {
    this.level = value;
  }
  setPattern() {}
  clearFormatters() {
    this.bare = true;
  }
  flush() {}
  drop() {}
}

module.exports = { version: 0, Logger, setLevel: (value) => (level = value), setFlushOn() {}, shutdown() {} };
