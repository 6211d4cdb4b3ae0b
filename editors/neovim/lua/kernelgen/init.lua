--- AscendC kernels in Neovim: ghost text, diagnostics, generation and latency from `kernelgen-ls`.
--- The folder works as it is on the runtime path; `setup` is for those who want something else than the defaults.
local M = {}

--- Take the user's options (see |kernelgen-options|). Problems are named and the defaults kept.
---@param options? table
function M.setup(options)
  local problems = require('kernelgen.config').apply(options or {})
  if #problems > 0 then
    require('kernelgen.notice').say(table.concat(problems, '; '), vim.log.levels.ERROR)
  end
  vim.lsp.config('kernelgen', require('kernelgen.client').lsp_config())
end

--- Whether ghost text is on show and fits: for mappings that do something else otherwise.
---@return boolean
function M.visible()
  local ghost = package.loaded['kernelgen.ghost']
  return ghost ~= nil and ghost.visible()
end

--- For a status line: `%{%v:lua.require'kernelgen'.status()%}`.
---@return string
function M.status()
  return require('kernelgen.status').component()
end

return M
