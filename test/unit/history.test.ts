import { describe, expect, it } from 'vitest';
import { firstHistory, type History, opened, openedFrom, stepped, visitAt } from '../../renderer/app/history.ts';
import type { How, Route } from '../../renderer/parts/navigation.tsx';

const go = (history: History, ...steps: readonly (readonly [Route, How?])[]) =>
  steps.reduce((now, [route, how = 'from-here']) => opened(now, route, how), history);
const back = (history: History) => stepped(history, -1);
const route = (history: History) => visitAt(history).route;
const document = { screen: 'documents', open: { connectionId: 'c', documentId: 'd' } } as const;

describe('the pages a person was on', () => {
  it('lead back to the page that opened another, and forward again', () => {
    const jobs = { screen: 'jobs', batchId: 'b' } as const;
    const history = go(firstHistory, [jobs], [document]);
    expect(openedFrom(history)).toBe('jobs');
    expect(route(back(history))).toEqual(jobs);
    expect(visitAt(back(history)).id, 'the same page, as it was left').toBe(visitAt(go(firstHistory, [jobs])).id);
    expect(stepped(back(history), 1)).toEqual(history);
    expect(back(back(back(history))), 'nothing before the first').toMatchObject({ at: 0 });
    expect(stepped(history, 1), 'nothing after the last').toBe(history);
  });

  it('begin anew with a section of the rail, which says no way back but has one by keys', () => {
    const history = go(firstHistory, [{ screen: 'documents' }, 'section'], [{ screen: 'documents' }, 'section']);
    expect(openedFrom(history)).toBeNull();
    expect(visitAt(history).id, 'pressed again: drawn anew').not.toBe(visitAt(back(history)).id);
    expect(route(back(back(history)))).toEqual({ screen: 'start' });
  });

  it('forget what lies ahead once another page is opened', () => {
    const history = go(back(go(firstHistory, [document])), [{ screen: 'verify' }]);
    expect(history.visits.map((visit) => visit.route.screen)).toEqual(['start', 'verify']);
  });

  it('change the parameters of the page that is shown without another visit', () => {
    const settings = go(firstHistory, [{ screen: 'settings' }]);
    const focused = go(settings, [{ screen: 'settings', focus: 'theme', fresh: '1' }]);
    expect(visitAt(focused).id).toBe(visitAt(settings).id);
    expect(route(focused)).toMatchObject({ focus: 'theme' });
  });

  it('do not lead back to a page that is over, nor twice to the list it came from', () => {
    const sent = go(firstHistory, [{ screen: 'register' }], [{ screen: 'jobs', batchId: 'b' }, 'instead']);
    expect(openedFrom(sent)).toBe('start');
    const connections: Route = { screen: 'connections' };
    const list = go(firstHistory, [connections, 'section']);
    const saved = go(list, [{ screen: 'connections', edit: 'new' }], [connections, 'instead']);
    expect(saved, 'the list itself').toEqual(list);
  });

  it('bring a form back with its draft', () => {
    const written = go(firstHistory, [{ screen: 'compose', fresh: '1' }]);
    const again = { screen: 'compose', draftId: 'x' } as const;
    const away = go({ ...written, visits: written.visits.with(1, { ...visitAt(written), again }) }, [document]);
    expect(route(back(away))).toEqual(again);
    expect(openedFrom(away)).toBe('compose');
  });

  it('are as many as a person remembers', () => {
    const many = Array.from({ length: 30 }, (_, at): readonly [Route] => [{ screen: 'verify', run: String(at) }]);
    expect(go(firstHistory, ...many).visits).toHaveLength(21);
  });
});
