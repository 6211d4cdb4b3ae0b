-- The pure parts of the ghost text and the options, as text in, text out. Run with `nvim -l`; ends with 1 on a failure.
local text = require('kernelgen.ghost.text')
local config = require('kernelgen.config')

local failures = 0

local function equal(what, got, expected)
  if not vim.deep_equal(got, expected) then
    failures = failures + 1
    print(('%s: got %s, expected %s'):format(what, vim.inspect(got), vim.inspect(expected)))
  end
end

-- What is left of a proposal once a part of it was typed.
equal('nothing typed', text.remaining('Add(x)', ''), 'Add(x)')
equal('a part typed', text.remaining('Add(x)', 'Add'), '(x)')
equal('all typed', text.remaining('Add(x)', 'Add(x)'), nil)
equal('something else typed', text.remaining('Add(x)', 'Adx'), nil)
equal('more typed', text.remaining('Add', 'Add(x)'), nil)

-- Parts that are accepted.
local accepted = {
  { 'word', ' (int i = 0', ' (' },
  { 'word', 'int i = 0', 'int' },
  { 'word', ' i = 0', ' i' },
  { 'word', '量x = 队', '量' },
  { 'word', '🚀🚀 done', '🚀🚀' },
  { 'word', '::template', '::' },
  { 'word', '\n        Add();', '\n        ' },
  { 'word', '  \n\tAdd();', '  \n\t' },
  { 'word', '   ', '   ' },
  { 'line', 'int i;\n    int j;', 'int i;' },
  { 'line', '\n    int j;\n    int k;', '\n    int j;' },
  { 'line', 'int i;', 'int i;' },
  { 'all', 'int i;\n    int j;', 'int i;\n    int j;' },
}
for _, case in ipairs(accepted) do
  equal(('%s of %q'):format(case[1], case[2]), text.accepted(case[2], case[1]), case[3])
end
-- Accepting word by word always ends, with the whole text.
local rest, whole = 'for (auto 张 : 量) {\n\t🚀("x");\n}\n', ''
for _ = 1, 100 do
  if rest == '' then
    break
  end
  local piece = text.accepted(rest, 'word')
  whole, rest = whole .. piece, rest:sub(#piece + 1)
end
equal('word by word', whole, 'for (auto 张 : 量) {\n\t🚀("x");\n}\n')

-- Tabs as the screen shows them.
local function cells(piece)
  return vim.fn.strdisplaywidth(piece)
end
equal('tab at the start', text.expand_tabs('\tx', 0, 4, cells), '    x')
equal('tab behind text', text.expand_tabs('ab\tx', 0, 4, cells), 'ab  x')
equal('tab at a column', text.expand_tabs('\tx', 3, 4, cells), ' x')
equal('tab behind wide text', text.expand_tabs('张\tx', 0, 4, cells), '张  x')

-- How a proposal is drawn.
local drawn = {
  { 'one line', { 'x);', '', '' }, { inline = 'x);', overlay = false, lines = {}, struck = 0 } },
  { 'pushes the rest', { 'x', '', ');' }, { inline = 'x', overlay = false, lines = {}, struck = 0 } },
  { 'ends with what is there', { 'x, y)', ')', ';' }, { inline = 'x, y', overlay = false, lines = {}, struck = 0 } },
  { 'replaces what is there', { 'x, y', ')', ';' }, { inline = 'x, y', overlay = false, lines = {}, struck = 1 } },
  { 'more lines', { 'a\n b\n c', '', '' }, { inline = 'a', overlay = false, lines = { ' b', ' c' }, struck = 0 } },
  { 'more lines over a rest', { 'a\n b', ')', ';' }, { inline = 'a', overlay = true, lines = { ' b;' }, struck = 0 } },
}
for _, case in ipairs(drawn) do
  equal(case[1], text.drawing(unpack(case[2])), case[3])
end

-- Options.
equal('good options', config.apply({ ghost_text = { debounce = 5 } }), {})
equal('the given one', config.options.ghost_text.debounce, 5)
equal('the others', config.options.ghost_text.enabled, true)
equal('unknown', config.apply({ gost_text = {} }), { "unknown option 'gost_text'" })
equal('wrong type', config.apply({ preview = 'yes' }), { 'option \'preview\' must be a boolean, not "yes"' })
equal('unknown setting', config.apply({ settings = { ['completion.maxline'] = 3 } }), {
  "unknown setting 'kernelgen.completion.maxline'",
})
equal('nested, flat and prefixed settings', {
  config.apply({
    settings = { completion = { maxLines = 3 }, ['check.chip'] = 'Ascend310P3', ['kernelgen.api.hover'] = false },
  }),
  config.options.settings,
}, { {}, { ['completion.maxLines'] = 3, ['check.chip'] = 'Ascend310P3', ['api.hover'] = false } })
equal('a setting given', config.setting('completion.maxLines'), 3)
equal('a setting not given', config.setting('completion.trigger'), 'automatic')
equal('lists and tables as values', {
  config.apply({ settings = { ['completion.exclude'] = { '*.key' }, ['check.lints'] = { ['kernel/copy'] = 'off' } } }),
  config.options.settings['completion.exclude'],
  config.options.settings['check.lints'],
}, { {}, { '*.key' }, { ['kernel/copy'] = 'off' } })

os.exit(failures == 0 and 0 or 1)
