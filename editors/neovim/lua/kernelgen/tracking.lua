--- Keeps the server's copy of a buffer true after a restart.
---
--- When the only client of a buffer ends and the buffer is edited before another starts, Neovim (0.11 and 0.12) lets go
--- of its own change listener but remembers the buffer as listened to: the next client gets the text once and then no
--- change of it ever. That is noticed here by a version that lags behind the buffer; then the text is sent anew and
--- the changes from there on are passed along.
local M = {}

---@type table<integer, boolean>
local watched = {}
--- Buffers whose changes are passed along here because Neovim no longer does.
---@type table<integer, boolean>
local taken_over = {}

---@return vim.lsp.Client[]
local function clients_of(bufnr)
  return vim.lsp.get_clients({ bufnr = bufnr })
end

---@param bufnr integer
local function take_over(bufnr)
  local changetracking = require('vim.lsp._changetracking')
  taken_over[bufnr] = true
  vim.lsp.util.buf_versions[bufnr] = vim.api.nvim_buf_get_changedtick(bufnr)
  for _, client in ipairs(clients_of(bufnr)) do
    changetracking.reset_buf(client, bufnr)
    client:notify('textDocument/didClose', { textDocument = { uri = vim.uri_from_bufnr(bufnr) } })
    client:_text_document_did_open_handler(bufnr)
  end
end

---@param bufnr integer
function M.watch(bufnr)
  if watched[bufnr] then
    return
  end
  watched[bufnr] = true
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, tick, first, last, new_last)
      if #clients_of(bufnr) == 0 then
        return
      end
      if taken_over[bufnr] then
        vim.lsp.util.buf_versions[bufnr] = tick
        require('vim.lsp._changetracking').send_changes(bufnr, first, last, new_last)
        return
      end
      if vim.lsp.util.buf_versions[bufnr] ~= tick then
        vim.schedule(function()
          if not vim.api.nvim_buf_is_loaded(bufnr) or taken_over[bufnr] or #clients_of(bufnr) == 0 then
            return
          end
          -- Neovim's own listener had its turn by now.
          if vim.lsp.util.buf_versions[bufnr] ~= vim.api.nvim_buf_get_changedtick(bufnr) then
            take_over(bufnr)
          end
        end)
      end
    end,
    on_detach = function()
      watched[bufnr] = nil
      taken_over[bufnr] = nil
    end,
    on_reload = function()
      -- Neovim's reload listener went with the other one.
      if taken_over[bufnr] then
        vim.schedule(function()
          take_over(bufnr)
        end)
      end
    end,
  })
end

return M
