import { h, say } from './dom.js';

/** A button that copies a text; null if the browser has no clipboard for the page. */
export function copyButton(text, label = 'Copy') {
  if (!navigator.clipboard) {
    return null;
  }
  const copy = event => {
    const button = event.currentTarget;
    navigator.clipboard.writeText(text).then(
      () => say(button, 'Copied'),
      () => say(button, 'Not copied'),
    );
  };
  return h('button.copy', { type: 'button', title: text, 'aria-label': `${label}: ${text}`, onclick: copy }, label);
}

/** Commands for a terminal, each with a button that copies it. */
export function commands(lines) {
  return h(
    'section',
    {},
    h('h2', {}, 'In a terminal'),
    h('ul.commands', {}, lines.map(line => h('li', {}, h('code', { tabindex: 0, role: 'group', 'aria-label': 'Command' }, line), copyButton(line)))),
  );
}

/** A word quoted for a shell where necessary. */
export const quoted = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
