import { h } from './dom.js';

/** A field of a form with its label, its hint and its error message. */
export class FormField {
  /** `form` makes the field's id unique. `given` is the initial value; null for the default. */
  constructor(form, field, given = null) {
    this.field = field;
    const id = `${form}-${field.name.replace(/\W/g, '-')}`;
    const attributes = { id, name: field.name, 'aria-describedby': `${id}-hint` };
    this.input = field.choices
      ? h('select', attributes, h('option', { value: '' }, field.usual ?? 'as usual'), field.choices.map(choice => h('option', { value: choice, selected: choice === (given ?? field.value) }, choice)))
      : h('input', { ...attributes, type: field.type ?? 'text', min: field.min, max: field.max, value: given ?? field.value ?? '', autocomplete: 'off', spellcheck: 'false' });
    this.wrong = h('span.wrong');
    this.element = h('div.field', {}, h('label', { for: id }, field.label), this.input, h('span.hint', { id: `${id}-hint` }, field.hint ?? '', ' ', this.wrong));
  }

  get name() {
    return this.field.name;
  }

  get value() {
    return this.input.value.trim();
  }

  focus() {
    this.input.closest('details')?.setAttribute('open', '');
    this.input.focus();
  }

  /** Marks the field as the one that the server refused. */
  blame() {
    this.input.closest('details')?.setAttribute('open', '');
    this.input.setAttribute('aria-invalid', 'true');
  }

  /** Returns whether the field's value is valid. If not, the field shows what is expected. */
  accept() {
    const empty = this.field.required && !this.value;
    const wrong = empty || !this.input.validity.valid;
    this.input.setAttribute('aria-invalid', String(wrong));
    this.wrong.textContent = wrong ? (empty ? 'Required.' : `Expected a number from ${this.field.min} to ${this.field.max}.`) : '';
    return !wrong;
  }
}
