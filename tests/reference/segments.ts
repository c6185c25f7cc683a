import type { DefinedSegment } from '../../src/core/analytics/events/questions/question.ts';
import type { Dates } from './calendar.ts';
import { type AgentData, isWithin, passes, rangeOf } from './selection.ts';
import { identity, type ReferenceEvent, read } from './values.ts';

/** Whether an event is one of a subject's: the events of all agents decide who is a subject. */
export function ofSubjects(
  { by, conditions }: DefinedSegment,
  { timezone, now }: Dates,
  agentData: AgentData,
): (event: ReferenceEvent) => boolean {
  const dates = { timezone, now };
  const ranges = conditions.map(({ dateFrom, dateTo }) => rangeOf({ dateFrom, dateTo, timezone }, agentData));
  const present = agentData.events.filter((event) => read(event, by) !== undefined);
  const bySubject = Map.groupBy(present, (event) => identity(read(event, by)));
  const meets = (events: ReferenceEvent[]) =>
    conditions.every(({ eventName, filters, atLeast = 1 }, index) => {
      const own = events.filter((event) => event.eventName === eventName);
      return own.filter((event) => isWithin(ranges[index]!, event) && passes(filters, event, dates)).length >= atLeast;
    });
  const subjects = new Set([...bySubject].filter(([, events]) => meets(events)).map(([subject]) => subject));
  return (event) => read(event, by) !== undefined && subjects.has(identity(read(event, by)));
}
