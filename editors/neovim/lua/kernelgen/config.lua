--- What the user chose: the plugin's own options, and the server's settings.
---
--- The server's settings and their defaults are the ones of `defaults.lua`, which is generated. Only what the user
--- sets himself is sent: what an editor sends wins over a project's file, so sending defaults would undo that file.
local M = {}

---@class kernelgen.GhostOptions
M.defaults = {
  --- The server's command line.
  ---@type string[]
  cmd = { 'kernelgen-ls', 'serve', '--stdio' },
  --- Buffers of these types are looked at; the server starts for those that hold a kernel or belong to one.
  ---@type string[]
  filetypes = { 'c', 'cpp' },
  --- Start the server when such a buffer is opened. Otherwise `:KernelGen start` does.
  autostart = true,
  --- The server's settings by name without prefix, such as ["completion.maxLines"] = 4; see |kernelgen-settings|.
  ---@type table<string, any>
  settings = {},
  ghost_text = {
    --- Show ghost text.
    enabled = true,
    --- Ask while typing; otherwise only <Plug>(kernelgen-request) does.
    automatic = true,
    --- Milliseconds without a key before the server is asked. The server waits as its own speed needs.
    debounce = 20,
    --- Show ghost text while a completion menu is open (Neovim's own, nvim-cmp's, blink.cmp's).
    with_menu = false,
  },
  --- Keep latency lenses up to date.
  codelens = true,
  --- Open the float with the model's reasoning when a generation starts.
  reasoning = true,
  --- Show a proposed kernel as a diff and wait for a decision before it is applied.
  preview = true,
}

---@type table
M.options = vim.deepcopy(M.defaults)

---@param given table
---@param known table
---@param path string
---@param problems string[]
local function check(given, known, path, problems)
  for name, value in pairs(given) do
    local default = known[name]
    if default == nil then
      problems[#problems + 1] = ("unknown option '%s%s'"):format(path, name)
    elseif type(default) ~= type(value) then
      problems[#problems + 1] = ("option '%s%s' must be a %s, not %s"):format(
        path,
        name,
        type(default),
        vim.inspect(value)
      )
    elseif type(default) == 'table' and not vim.islist(default) and path .. name ~= 'settings' then
      check(value, default, path .. name .. '.', problems)
    end
  end
end

--- The settings by flat name, whether they were written nested or flat, with or without the prefix.
---@param settings table
---@param prefix? string
---@param out? table<string, any>
---@return table<string, any>
function M.flatten(settings, prefix, out)
  out = out or {}
  local known = require('kernelgen.defaults')
  for name, value in pairs(settings) do
    local full = ((prefix or '') .. name):gsub('^kernelgen%.?', '')
    if type(value) == 'table' and not vim.islist(value) and known[full] == nil then
      M.flatten(value, full == '' and '' or full .. '.', out)
    else
      out[full] = value
    end
  end
  return out
end

--- Lay what the user gives over the defaults; what cannot be taken is named and its default kept.
---@param given table
---@return string[] problems
function M.apply(given)
  local problems = {}
  check(given, M.defaults, '', problems)
  if #problems > 0 then
    M.options = vim.deepcopy(M.defaults)
    return problems
  end
  M.options = vim.tbl_deep_extend('force', vim.deepcopy(M.defaults), given)
  local known = require('kernelgen.defaults')
  M.options.settings = M.flatten(M.options.settings)
  for name in pairs(M.options.settings) do
    if known[name] == nil then
      problems[#problems + 1] = ("unknown setting 'kernelgen.%s'"):format(name)
    end
  end
  return problems
end

--- A server setting as the user set it, or its default.
---@param name string
---@return any
function M.setting(name)
  local value = M.options.settings[name]
  if value == nil then
    value = require('kernelgen.defaults')[name]
  end
  return value
end

return M
