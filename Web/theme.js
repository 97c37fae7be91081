// Light or dark: as the system says, until the person chooses.

import { h, replace } from './dom.js';
import { icon } from './components/icon.js';

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function current() {
    return localStorage.getItem('theme') ?? (dark.matches ? 'dark' : 'light');
}

function apply() {
    document.documentElement.dataset.theme = current();
}

apply();
dark.addEventListener('change', apply);

/** A button that changes between light and dark. @returns {HTMLElement} */
export function themeSwitch() {
    const button = h('button', { class: 'quiet', type: 'button', onclick: change });
    draw();
    return button;

    function change() {
        localStorage.setItem('theme', current() === 'dark' ? 'light' : 'dark');
        apply();
        draw();
    }

    function draw() {
        const other = current() === 'dark' ? 'light' : 'dark';
        button.setAttribute('aria-label', `Change to ${other} colours`);
        button.title = `Change to ${other} colours`;
        replace(button, icon(other === 'dark' ? 'moon' : 'sun'));
    }
}
