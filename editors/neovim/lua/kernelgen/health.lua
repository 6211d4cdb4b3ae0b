--- `:checkhealth kernelgen`
local config = require('kernelgen.config')

local M = {}

local function check_editor()
  vim.health.start('kernelgen: editor')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.11 or newer is needed')
  end
  if pcall(vim.treesitter.language.add, 'cpp') and vim.treesitter.language.add('cpp') then
    vim.health.ok('the tree-sitter parser for C++ is installed')
  else
    vim.health.info('no tree-sitter parser for C++: AscendC names are highlighted by syntax rules instead')
  end
end

---@return boolean
local function check_program()
  vim.health.start('kernelgen: server')
  local program = config.options.cmd[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    vim.health.error(program .. ' is not on PATH', {
      'Install it: pip install kernelgen-ls',
      "or say where it is: require('kernelgen').setup({ cmd = { '/path/to/kernelgen-ls', 'serve', '--stdio' } })",
    })
    return false
  end
  local result = vim.system({ path, '--version' }, { text = true, timeout = 20000 }):wait()
  if result.code ~= 0 then
    vim.health.error(path .. ' does not run: ' .. vim.trim(result.stderr or ''))
    return false
  end
  vim.health.ok(vim.trim(result.stdout) .. ' at ' .. path)
  return true
end

local function check_settings()
  vim.health.start('kernelgen: settings')
  local known = require('kernelgen.defaults')
  local count = 0
  for name, value in pairs(config.options.settings) do
    count = count + 1
    if known[name] == nil then
      vim.health.error(("there is no setting '%s'"):format(name))
    elseif type(known[name]) ~= type(value) then
      vim.health.error(("setting '%s' must be a %s"):format(name, type(known[name])))
    end
  end
  vim.health.ok(('%d settings given, the others are the defaults'):format(count))
end

local function check_client()
  vim.health.start('kernelgen: connection')
  local clients = vim.lsp.get_clients({ name = 'kernelgen' })
  if #clients == 0 then
    vim.health.info('the server does not run now: it starts with the first kernel that is opened')
    return
  end
  for _, client in ipairs(clients) do
    vim.health.ok(
      ('client %d, root %s, positions in %s'):format(client.id, client.root_dir or '-', client.offset_encoding)
    )
    if require('kernelgen.client').offers_ghost_text(client) then
      vim.health.ok('the server offers ghost text')
    else
      vim.health.warn('the server offers no ghost text: it is older than this plugin')
    end
  end
  for _, line in ipairs(require('kernelgen.status').report()) do
    if line ~= '' then
      vim.health.info(line)
    end
  end
end

function M.check()
  check_editor()
  local runs = check_program()
  check_settings()
  if runs then
    check_client()
  end
end

return M
