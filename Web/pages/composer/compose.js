// First step: the words.

import { h } from '../../dom.js';
import { field, input, textArea } from '../../components/form.js';
import { names } from './campaign.js';

const MAXIMUM_CHARACTERS = 1000;

/** @param {{draft: Object, changed: () => void}} context */
export function composeStep({ draft, changed }) {
    const { notification } = draft;
    const left = h('span', { class: 'muted' });
    const body = textArea('body', { rows: 4, dir: 'auto', maxlength: MAXIMUM_CHARACTERS, oninput: write('body') });
    body.value = notification.body ?? '';
    measure();
    return {
        element: h(
            'div',
            { class: 'page' },
            field(
                'Title',
                input('title', {
                    value: notification.title ?? '',
                    maxlength: 200,
                    dir: 'auto',
                    oninput: write('title'),
                }),
                { optional: true, names: names('notification.title'), hint: 'Without one, iOS shows the app’s name.' },
            ),
            field('Text', body, { names: [...names('notification.body'), ...names('notification')], hint: left }),
            field(
                'Image',
                input('imageUrl', {
                    type: 'url',
                    value: notification.imageUrl ?? '',
                    placeholder: 'https://',
                    oninput: write('imageUrl'),
                }),
                {
                    optional: true,
                    names: names('notification.imageUrl'),
                    hint: 'An https address. Devices download it; the app needs a service extension for it.',
                },
            ),
            field(
                'Name of the campaign',
                input('name', {
                    value: draft.name ?? '',
                    maxlength: 100,
                    dir: 'auto',
                    oninput: (event) => {
                        draft.name = event.target.value;
                    },
                }),
                { optional: true, names: names('name'), hint: 'Only shown here and in reports.' },
            ),
        ),
    };

    function write(key) {
        return (event) => {
            notification[key] = key === 'imageUrl' ? event.target.value.trim() : event.target.value;
            measure();
            changed();
        };
    }

    function measure() {
        left.textContent = `${[...(notification.body ?? '')].length} of ${MAXIMUM_CHARACTERS} characters`;
    }
}
