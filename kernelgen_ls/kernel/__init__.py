"""AscendC itself, as pure functions over text: no file is read here and nothing is started."""
