import { dashboards } from './dashboards.ts';
import { executions } from './executions.ts';
import { explain } from './explain.ts';
import { funnels } from './funnels.ts';
import { gaps } from './gaps.ts';
import { knowledge } from './knowledge.ts';
import { kpi } from './kpi.ts';
import { records } from './records.ts';
import { segments } from './segments.ts';
import { tables } from './tables.ts';
import type { Task } from './task.ts';

/** In this order: those that change something come last. */
export const tasks: readonly Task[] = [
  ...kpi,
  ...tables,
  ...funnels,
  ...explain,
  ...segments,
  ...executions,
  ...knowledge,
  ...gaps,
  ...records,
  ...dashboards,
];
