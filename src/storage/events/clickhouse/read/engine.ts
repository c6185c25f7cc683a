import type { RunStatement } from '../../compile/aggregate.ts';
import type { EventEngine } from '../../compile/answer.ts';
import { readPage } from './pages.ts';
import { ClickhouseScope, type Source } from './scope.ts';
import { funnelStatement, retentionStatement } from './sequences.ts';

/** The statements of a plan see the events of the same flushes. */
export function clickhouseEngine(run: RunStatement, source: Source): EventEngine {
  return {
    run,
    scope: () => new ClickhouseScope(source),
    counted: async () => null,
    page: (plan) => readPage(run, source, plan),
    funnel: funnelStatement,
    retention: retentionStatement,
  };
}
