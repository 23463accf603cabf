import { $, say } from './dom.js';
import { theme } from './theme.js';

/** Signs in with a token. The server sets a cookie, and the board opens. */
const token = $('token');
const button = $('submit');

function fail(text) {
  say($('problem'), text);
  $('problem').hidden = !text;
  token.setAttribute('aria-invalid', String(Boolean(text)));
}

async function problem(answer) {
  const text = await answer.json().then(({ message }) => message, () => null);
  return text ? `${text[0].toUpperCase()}${text.slice(1)}.` : `The server answers ${answer.status}.`;
}

async function signIn() {
  if (!token.value.trim()) {
    fail('A token is needed.');
    token.focus();
    return;
  }
  button.disabled = true;
  fail('');
  try {
    const answer = await fetch('/api/v1/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: token.value.trim() }),
    });
    if (answer.ok) {
      location.replace('/');
      return;
    }
    fail(await problem(answer));
  } catch {
    fail('The server cannot be reached.');
  }
  button.disabled = false;
  token.focus();
}

$('form').addEventListener('submit', event => {
  event.preventDefault();
  signIn();
});
theme($('theme'), () => {});
