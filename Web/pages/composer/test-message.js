// A test message to a few devices, before anything is published.

import { h, replace } from '../../dom.js';
import { path, post } from '../../api.js';
import { listPhones } from '../../emulated-phones.js';
import { session } from '../../session.js';
import { notice } from '../../components/notice.js';
import { part } from '../../components/page.js';
import { field, form, textArea } from '../../components/form.js';
import { cleaned } from './campaign.js';

/** @param {{project: string, draft: Object, signal: AbortSignal}} context */
export function testMessage({ project, draft, signal }) {
    const targets = textArea('targets', { rows: 3, spellcheck: 'false', autocapitalize: 'none' });
    targets.value = draft.target?.device ?? '';
    const results = h('div', { class: 'result', 'aria-live': 'polite' });
    const phones = h('div', { class: 'actions' });
    if (session.server.isEmulator) offerPhones();
    return part(
        'Send a test',
        {},
        form({
            content: [
                field('Registration tokens or installation ids', targets, {
                    hint: 'One a line; the page of a device shows its own. Only these devices get it, at once.',
                }),
                phones,
            ],
            submit: 'Send the test',
            kind: '',
            send,
        }),
        results,
    );

    async function send() {
        replace(results);
        const wanted = targets.value.split(/\s+/).filter(Boolean);
        const { name, notification, options } = cleaned(draft);
        const answer = await post(`${path`/projects/${project}/campaigns`}:test`, {
            campaign: { name, notification, options },
            targets: wanted,
        });
        replace(
            results,
            (answer.results ?? []).map(({ target, error }) =>
                error
                    ? notice('bad', h('strong', {}, error.status), ` ${error.message} `, h('code', {}, short(target)))
                    : notice('good', 'Sent to ', h('code', {}, short(target))),
            ),
        );
    }

    /** In the emulator, a click takes the token of a virtual iPhone. */
    async function offerPhones() {
        const devices = await listPhones(signal);
        replace(
            phones,
            devices
                .filter(({ token, fid }) => token ?? fid)
                .map((phone) =>
                    h(
                        'button',
                        {
                            type: 'button',
                            onclick: () => {
                                targets.value = [
                                    ...targets.value.split(/\s+/).filter(Boolean),
                                    phone.token ?? phone.fid,
                                ]
                                    .filter((each, place, all) => all.indexOf(each) === place)
                                    .join('\n');
                            },
                        },
                        `Add ${phone.device}`,
                    ),
                ),
        );
    }
}

const short = (target) => (target.length > 28 ? `${target.slice(0, 28)}…` : target);
