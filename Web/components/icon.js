// The console's own pictures, drawn with lines on a field of 20 by 20.

import { svg } from '../dom.js';

const LINES = {
    menu: 'M3 5h14M3 10h14M3 15h14',
    home: 'M3 9.5 10 3l7 6.5M5 8.5V17h10V8.5M8.5 17v-5h3v5',
    phone: 'M6 2h8a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM9 15.5h2',
    bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3M10 2v2',
    chart: 'M3 3v14h14M6.5 14v-3M10 14V6M13.5 14V9',
    search: 'M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM12.5 12.5 17 17',
    devices: 'M2 4h11v8H2zM1 15h8M12 8h6v9h-6zM14.5 15h1',
    topic: 'M4 7h13M3 13h13M8 3 6 17M14 3l-2 14',
    app: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
    key: 'M6.5 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 10h8v3.500M15 10v2.500',
    folder: 'M2 5h6l2 2h8v9H2z',
    people: 'M7 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2 17c0-3 2-5 5-5s5 2 5 5M13 4.5a3 3 0 0 1 0 5M14.5 12.3c2.2.5 3.5 2.3 3.5 4.7',
    person: 'M10 3a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM3.5 17.5c0-3.5 2.7-5.5 6.5-5.5s6.5 2 6.5 5.5',
    list: 'M7 5h10M7 10h10M7 15h10M3 5h.5M3 10h.5M3 15h.5',
    server: 'M3 3h14v6H3zM3 11h14v6H3zM6 6h.5M6 14h.5M10 6h4M10 14h4',
    leave: 'M12 3H4v14h8M9 10h9M15 7l3 3-3 3',
    sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16',
    moon: 'M16 12.5A7 7 0 0 1 7.5 4 7 7 0 1 0 16 12.5z',
    plus: 'M10 4v12M4 10h12',
    cross: 'M5 5l10 10M15 5 5 15',
    check: 'M4 10.5 8.5 15 16 5.5',
    copy: 'M7 7h9v10H7zM4 13V3h9',
    download: 'M10 3v10M6 9.5l4 4 4-4M3 17h14',
    warning: 'M10 3 18 17H2zM10 8.5v4M10 14.5v.5',
    send: 'M3 10 17 3l-4 14-3.5-5.5zM9.5 11.5 17 3',
    image: 'M3 4h14v12H3zM3 14l4-4 3 3 3-4 4 5M7 7.5h.5',
    lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
    bolt: 'M11 2 4 12h5l-1 6 8-10h-5z',
    clock: 'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM10 6v4.5l3 2',
    tap: 'M8 10V4.5a1.5 1.5 0 0 1 3 0V9l4 1c1 .3 1.5 1 1.3 2l-.8 4c-.2 1-1 1.500-2 1.500H9c-.8 0-1.400-.4-2-1L4 12.500c.8-1 2-1 3-.3z',
    plane: 'M2 11l3 1 3 5 1.500-.5L9 12l4-1.500c2-.8 4-2 4.500-3.500C16 6 14 6.500 12.500 7.300L9 8.500 4.500 4 3 4.500 5.500 9.700 4 10.300 2.500 9.500z',
};

/** A picture beside words; it says nothing to screen readers. @param {keyof typeof LINES} name */
export function icon(name) {
    return svg(
        'svg',
        { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true', focusable: 'false' },
        svg('path', { d: LINES[name] }),
    );
}
