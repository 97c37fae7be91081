// Which address shows which page. A page's module is loaded when it is first visited.

/** @type {{pattern: string[], load: () => Promise<{show: Function}>, section?: string}[]} */
export const routes = [
    route('', () => import('./pages/home.js')),
    route('projects', () => import('./pages/projects.js'), 'projects'),
    route('projects/:project', () => import('./pages/overview.js'), 'overview'),
    route('projects/:project/apps', () => import('./pages/apps.js'), 'apps'),
    route('projects/:project/keys', () => import('./pages/keys.js'), 'keys'),
    route('projects/:project/campaigns', () => import('./pages/campaigns.js'), 'campaigns'),
    route('projects/:project/campaigns/new', () => import('./pages/composer.js'), 'campaigns'),
    route('projects/:project/campaigns/:campaign', () => import('./pages/campaign.js'), 'campaigns'),
    route('projects/:project/campaigns/:campaign/edit', () => import('./pages/composer.js'), 'campaigns'),
    route('projects/:project/reports', () => import('./pages/reports.js'), 'reports'),
    route('projects/:project/messages', () => import('./pages/messages.js'), 'messages'),
    route('projects/:project/messages/:message', () => import('./pages/message.js'), 'messages'),
    route('projects/:project/devices', () => import('./pages/devices.js'), 'devices'),
    route('projects/:project/devices/:device', () => import('./pages/device.js'), 'devices'),
    route('projects/:project/topics', () => import('./pages/topics.js'), 'topics'),
    route('projects/:project/topics/:topic', () => import('./pages/topic.js'), 'topics'),
    route('projects/:project/iphones', () => import('./pages/iphones.js'), 'iphones'),
    route('users', () => import('./pages/users.js'), 'users'),
    route('users/:user', () => import('./pages/user.js'), 'users'),
    route('audit', () => import('./pages/audit.js'), 'audit'),
    route('server', () => import('./pages/server.js'), 'server'),
    route('account', () => import('./pages/account.js'), 'account'),
];

function route(pattern, load, section) {
    return { pattern: pattern.split('/'), load, section };
}

/**
 * What an address asks for.
 * @param {string} hash `#/projects/demo/campaigns?state=DRAFT`
 * @returns {{route: Object|undefined, values: Object, query: URLSearchParams}}
 */
export function find(hash) {
    const [place, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
    const steps = place.split('/').map(decoded);
    for (const candidate of routes) {
        const values = match(candidate.pattern, steps);
        if (values) return { route: candidate, values, query: new URLSearchParams(query) };
    }
    return { route: undefined, values: {}, query: new URLSearchParams(query) };
}

function match(pattern, steps) {
    if (pattern.length !== steps.length) return undefined;
    const values = {};
    for (const [place, name] of pattern.entries()) {
        if (name.startsWith(':')) values[name.slice(1)] = steps[place];
        else if (name !== steps[place]) return undefined;
    }
    return values;
}

function decoded(step) {
    try {
        return decodeURIComponent(step);
    } catch {
        return step;
    }
}
