// Second step: whom it reaches.

import { h, replace } from '../../dom.js';
import { get, path, post } from '../../api.js';
import { notice } from '../../components/notice.js';
import { button } from '../../components/page.js';
import { choice, field, input, textArea } from '../../components/form.js';

import { cleaned, names } from './campaign.js';
import { reachText } from './review.js';
import { segmentBuilder } from './segment.js';

const KINDS = [
    ['segment', 'A segment', 'everybody whom rules describe'],
    ['topic', 'A topic', 'everybody who subscribed'],
    ['condition', 'A condition', 'over several topics'],
    ['device', 'One device', 'by its token or installation id'],
];

/** @param {{project: string, draft: Object, apps: Object[], signal: AbortSignal}} context */
export function targetStep({ project, draft, apps, signal }) {
    const remembered = {};
    const detail = h('div', {});
    const estimate = h('div', { class: 'result', 'aria-live': 'polite' });
    const topics = h('datalist', { id: 'known-topics' });
    draw();
    return {
        element: h(
            'div',
            { class: 'page' },
            choice('Send to', 'target', KINDS, kindOf(draft.target), choose),
            detail,
            h('div', { class: 'actions' }, button('Estimate the reach', ask)),
            estimate,
            topics,
        ),
        entered: suggestTopics,
    };

    function choose(kind) {
        remembered[kindOf(draft.target)] = draft.target;
        draft.target = remembered[kind] ?? { [kind]: kind === 'segment' ? { all: [] } : '' };
        draw();
    }

    function draw() {
        replace(estimate);
        const kind = kindOf(draft.target);
        if (kind === 'segment') replace(detail, segmentBuilder(draft.target.segment, apps));
        else replace(detail, editor(kind));
    }

    function editor(kind) {
        const write = (event) => {
            draft.target = { [kind]: event.target.value };
        };
        const value = draft.target[kind];
        if (kind === 'topic')
            return field(
                'Topic',
                input('topic', { value, list: 'known-topics', spellcheck: 'false', oninput: write }),
                { names: [...names('target.topic'), ...names('target')] },
            );
        const text = textArea(kind, { rows: 3, spellcheck: 'false', oninput: write });
        text.value = value;
        if (kind === 'condition')
            return field('Condition', text, {
                names: [...names('target.condition'), ...names('target')],
                hint: "'news' in topics && !('beta' in topics): up to five topics, with &&, || and !.",
            });
        return field('Token or installation id', text, {
            names: [...names('target.device'), ...names('target')],
            hint: 'Spaces and line breaks around it do not matter.',
        });
    }

    async function ask() {
        try {
            const reach = await post(`${path`/projects/${project}/campaigns`}:estimate`, {
                target: cleaned(draft).target,
            });
            replace(estimate, notice('info', h('strong', {}, reachText(reach))));
        } catch (error) {
            replace(estimate, notice('bad', error.message));
        }
    }

    async function suggestTopics() {
        const answer = await get(path`/projects/${project}/topics`, { pageSize: 100 }, signal).catch(() => ({}));
        replace(
            topics,
            (answer.topics ?? []).map(({ topic }) => h('option', { value: topic })),
        );
    }
}

function kindOf(target = {}) {
    return KINDS.map(([kind]) => kind).find((kind) => target[kind] !== undefined) ?? 'segment';
}
