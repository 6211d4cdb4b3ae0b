-- What luacheck knows of the Neovim plugin and of its tests: LuaJIT inside Neovim, whose options are set through `vim`.
std = 'luajit'
globals = { 'vim' }
max_line_length = 120
files['editors/neovim/lua/kernelgen/defaults.lua'] = { max_line_length = false } -- generated
