import { Schedule, TargetList } from '../../../sending/shown.tsx';
import { createdFact, type Fact, Facts } from '../../../ui/facts.tsx';
import type { Alert } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { BUCKETS, bucketOf, conditionInWords, durationInWords } from '../words.ts';

/** Says what is checked, when, and where messages go. */
export function Definition({ alert }: { alert: Alert }) {
  const { condition, every, timezone, cooldown, targets } = alert;
  const formatted = useValueFormatter(alert);
  const bucket = BUCKETS.find(({ value }) => value === bucketOf(alert));
  const facts: Fact[] = [
    ['Checks', <AskedInWords key="asked" alert={alert} isLinked />],
    ...(bucket === undefined ? [] : [['Period', bucket.label] as const]),
    ['Alerts if', conditionInWords(condition, formatted)],
    ['When', <Schedule key="schedule" every={every} timezone={timezone} />],
    ['Targets', <TargetList key="targets" targets={targets} />],
    ['Cool-down', cooldown === 0 ? 'None' : `${durationInWords(cooldown)} without another message`],
    createdFact(alert),
  ];
  return (
    <section className="panel padded stack" aria-labelledby="definition">
      <h2 id="definition">Definition</h2>
      <Facts label="Definition" facts={facts} />
    </section>
  );
}
