-- What the test asks a running Neovim: what it draws, and what it does when a user acts. Answers are JSON.
local asks = {}

--- The virtual text of inlay hints that stands in the buffer: {line, column, text}, lines from 1, columns in bytes.
function asks.hints()
  local hints = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('inlayhint') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
        local text = ''
        for _, chunk in ipairs(mark[4].virt_text or {}) do
          text = text .. chunk[1]
        end
        table.insert(hints, { line = mark[2] + 1, column = mark[3], text = text, position = mark[4].virt_text_pos })
      end
    end
  end
  return hints
end

function asks.diagnostics()
  return vim.tbl_map(function(one)
    return { line = one.lnum + 1, message = one.message, source = one.source, code = one.code }
  end, vim.diagnostic.get(0))
end

--- The text of the floating windows.
function asks.floats()
  local lines = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      vim.list_extend(lines, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false))
    end
  end
  return table.concat(lines, '\n')
end

function asks.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- The name and the text of each window's buffer but the current one's.
function asks.otherWindows()
  local others = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if buffer ~= vim.api.nvim_get_current_buf() then
      local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
      table.insert(others, { name = vim.api.nvim_buf_get_name(buffer), text = text })
    end
  end
  return others
end

function asks.clients()
  return vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients({ bufnr = 0 }))
end

--- Puts the cursor on the first character of a line that is not white.
function asks.goTo(line)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd.normal('^')
end

--- Applies the one code action at the cursor whose title has `text`.
function asks.act(text)
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find(text, 1, true) ~= nil end })
end

--- The reply of mca-lsp to a command with the buffer's URI as its argument, and whatever else is in `arguments`.
function asks.execute(command)
  local argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(0) }, command.arguments)
  local replies = vim.lsp.buf_request_sync(0, 'workspace/executeCommand',
    { command = command.name, arguments = { argument } }, 20000)
  for id, reply in pairs(replies or {}) do
    if vim.lsp.get_client_by_id(id).name == 'mca' then
      return reply
    end
  end
end

return function(name, argument)
  local answer = asks[name](argument)
  return vim.json.encode({ answer = answer })
end
