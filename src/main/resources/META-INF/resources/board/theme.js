/**
 * The theme: light, dark, or that of the system. The choice is stored. The chart reads its colours from the style sheet's
 * variables.
 */
const KEY = 'slotwise-theme';
const CHOICES = ['auto', 'light', 'dark'];
const LABELS = { auto: 'Auto', light: 'Light', dark: 'Dark' };

export function theme(button, changed) {
  let choice = CHOICES.includes(stored()) ? stored() : 'auto';
  const apply = () => {
    if (choice === 'auto') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = choice;
    }
    button.lastElementChild.textContent = LABELS[choice];
    button.setAttribute('aria-label', `Colours: ${LABELS[choice].toLowerCase()}`);
    button.title = 'Colours: as the system, light, dark';
    changed();
  };
  button.addEventListener('click', () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    store(choice);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(choice) {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** The chart's current colours and numbers, by the names of the style sheet's variables. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const dark = isDark();
  return new Proxy({}, { get: (known, name) => (known[name] ??= value(style, name, dark)) });
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function value(style, name, dark) {
  const both = style.getPropertyValue(`--${name}`).trim();
  if (!both) {
    return style.getPropertyValue(`--${name}-${dark ? 'dark' : 'light'}`).trim();
  }
  return both.startsWith('light-dark(') ? themed(both)[dark ? 1 : 0] : both;
}

/** The two colours of a light-dark(). The browser returns a variable's text without resolving it. */
function themed(both) {
  const inner = both.slice('light-dark('.length, -1);
  let depth = 0;
  for (let i = 0; i < inner.length; i++) {
    depth += inner[i] === '(' ? 1 : inner[i] === ')' ? -1 : 0;
    if (inner[i] === ',' && depth === 0) {
      return [inner.slice(0, i).trim(), inner.slice(i + 1).trim()];
    }
  }
  return [both, both];
}
