// Where one starts: the only project, or all of them.

import { address } from '../dom.js';
import { get } from '../api.js';
import { show as projects } from './projects.js';
import { show as overview } from './overview.js';

export async function show(context) {
    const known = (await get('/projects', {}, context.signal)).projects ?? [];
    if (known.length !== 1) return projects(context);
    history.replaceState(null, '', address(['projects', known[0].projectId]));
    return overview({ ...context, project: known[0].projectId });
}
