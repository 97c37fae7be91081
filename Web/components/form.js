// Forms: named fields, their mistakes beside them, one way to send.

import { append, h, replace, uniqueID } from '../dom.js';
import { notice, problem } from './notice.js';

/**
 * A labelled control.
 * @param {string} label
 * @param {HTMLElement} control An input, select or textarea, with a `name`.
 * @param {Object} [options] `hint`: what to know before; `names`: what the server calls the field, when not as the control.
 * @returns {HTMLElement}
 */
export function field(label, control, { hint, names, optional } = {}) {
    control.id ||= uniqueID('field');
    const hintID = `${control.id}-hint`;
    const error = h('p', { class: 'mistake', id: `${control.id}-mistake`, hidden: true });
    control.setAttribute('aria-describedby', [hint && hintID, error.id].filter(Boolean).join(' '));
    const element = h(
        'div',
        { class: 'field' },
        h('label', { for: control.id }, label, optional && h('span', { class: 'muted' }, ' (optional)')),
        control,
        hint && h('p', { class: 'hint', id: hintID }, hint),
        error,
    );
    element.dataset.names = (names ?? [control.name]).join(' ');
    return element;
}

/** Shows what is wrong with a field, or that nothing is. @param {HTMLElement} element As `field` made it. */
export function mark(element, mistake) {
    const control = element.querySelector('input, select, textarea');
    const place = element.querySelector('.mistake');
    place.hidden = !mistake;
    place.textContent = mistake ?? '';
    if (mistake) control?.setAttribute('aria-invalid', 'true');
    else control?.removeAttribute('aria-invalid');
}

/** Takes all mistakes away, then shows these. @returns {{field: string, description: string}[]} Those without a field here. */
function markAll(root, violations) {
    const fields = [...root.querySelectorAll('.field')];
    fields.forEach((element) => mark(element));
    const left = violations.filter(({ field: name, description }) => {
        const found =
            fields.find((element) => isOf(element, name)) ?? fields.find((element) => isOf(element, name, '.'));
        if (found) mark(found, withoutName(description, name));
        return !found;
    });
    root.querySelector('[aria-invalid]')?.focus();
    return left;
}

/** Marks the fields that an error names. @returns {HTMLElement} What is left to say of it. */
export function markedProblem(root, error) {
    const violations = error.violations ?? [];
    const left = markAll(root, violations);
    if (violations.length > 0 && left.length === 0) return notice('bad', 'Change what is marked above, then try again.');
    return problem(Object.assign(Object.create(error), { message: error.message, violations: left }));
}

/** The API's name of the field stands before some mistakes; here the mistake stands at the field. */
function withoutName(description, name) {
    return description.startsWith(`${name} `) ? `It${description.slice(name.length)}` : description;
}

/** Whether the server's name of a field means this one, or with `'.'` a part of it. */
function isOf(element, name, separator = '') {
    const names = element.dataset.names.split(' ').filter(Boolean);
    return names.some((own) => (separator ? name.startsWith(own + separator) : name === own));
}

/** An `input`. */
export const input = (name, attributes) => h('input', { type: 'text', name, autocomplete: 'off', ...attributes });

/** A `textarea`. */
export const textArea = (name, attributes) => h('textarea', { name, rows: 3, ...attributes });

/** A `select`. @param {[string, string][]} choices Value and text of each. */
export function select(name, choices, attributes = {}) {
    const { value, ...others } = attributes;
    const options = choices.map(([key, text]) => h('option', { value: key, selected: key === value }, text));
    return h('select', { name, ...others }, options);
}

/** A check box with its words. */
export function check(label, attributes) {
    const id = uniqueID('check');
    return h(
        'div',
        { class: 'check' },
        h('input', { type: 'checkbox', id, ...attributes }),
        h('label', { for: id }, label),
    );
}

/** Choices of which one holds. @param {[string, string, string?][]} choices Value, text, explanation. */
export function choice(legend, name, choices, current, onchange) {
    return h(
        'fieldset',
        {},
        h('legend', {}, legend),
        choices.map(([value, text, more]) => {
            const id = uniqueID('choice');
            return h(
                'div',
                { class: 'check' },
                h('input', {
                    type: 'radio',
                    id,
                    name,
                    value,
                    checked: value === current,
                    onchange: () => onchange(value),
                }),
                h('label', { for: id }, text, more && h('span', { class: 'muted' }, ` ${more}`)),
            );
        }),
    );
}

/**
 * A form.
 * @param {Object} options
 * @param {any[]} options.content Fields.
 * @param {string} options.submit The button's text.
 * @param {(values: Object, form: HTMLFormElement) => Promise<any>} options.send Throws what the server refuses.
 * @param {any[]} [options.actions] More buttons.
 */
export function form({ content, submit, send, actions, kind = 'primary' }) {
    const result = h('div', { class: 'result' });
    const button = h('button', { type: 'submit', class: kind }, submit);
    const element = h(
        'form',
        { novalidate: true, onsubmit: trySending },
        content,
        result,
        h('div', { class: 'actions' }, button, actions),
    );
    return element;

    async function trySending(event) {
        event.preventDefault();
        if (button.disabled) return;
        button.disabled = true;
        replace(result);
        markAll(element, []);
        try {
            await send(valuesOf(element), element);
        } catch (error) {
            show(error);
        } finally {
            button.disabled = false;
        }
    }

    function show(error) {
        if (error.name === 'AbortError') return;
        append(result, markedProblem(element, error));
    }
}

/** The texts of a form's fields by name. */
function valuesOf(element) {
    return Object.fromEntries(new FormData(element));
}
