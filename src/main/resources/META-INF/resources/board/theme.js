/** Light, dark, or what the system says; the choice is remembered. The chart reads its colours from the style sheet's variables. */
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
    // Where nothing may be stored the choice lasts as long as the page.
  }
}

/** The chart's colours as they are now. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  return new Proxy({}, { get: (known, name) => (known[name] ??= style.getPropertyValue(`--${name}`).trim()) });
}
