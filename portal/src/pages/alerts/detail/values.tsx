import { useMemo } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { useKnownMetric } from '../../../api/metrics.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { Chart } from '../../../card/chart.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { picturesOf } from '../../metrics/format.ts';
import type { Alert } from '../alerts.ts';
import { type Bucket, bucketOf, metricAsked } from '../words.ts';

type Definition = Parameters<typeof picturesOf>[1];

const SHOWN = {
  hour: { dateFrom: '-48h', label: 'Last 48 hours' },
  day: { dateFrom: '-30d', label: 'Last 30 days' },
  week: { dateFrom: '-12w', label: 'Last 12 weeks' },
  month: { dateFrom: '-12mo', label: 'Last 12 months' },
} as const;

/** A line of the last hours, days, weeks or months. A card has its own picture. */
export function Values({ alert }: { alert: Alert }) {
  const bucket = bucketOf(alert);
  return bucket === undefined ? null : <Line alert={alert} bucket={bucket} />;
}

function Line({ alert, bucket }: { alert: Alert; bucket: Bucket }) {
  const { metric: named, question, condition, timezone, title } = alert;
  const known = useKnownMetric(metricAsked(alert)) as Definition | undefined;
  const { dateFrom, label } = SHOWN[bucket];
  const asked = question ?? { metric: named };
  const body = { agentId: '*', ...asked, dateFrom, timezone, dateGrouping: bucket } as Schemas['AggregateEvents'];
  const query = api.useQuery('post', AGGREGATE, { body });
  const { data } = query;
  const picture = useMemo(() => {
    const plain = { goodDirection: 'none', formula: { aggregation: question?.aggregation ?? 'count' } };
    const metric = { ...(known ?? plain), title } as unknown as Definition;
    if (!data) return undefined;
    // The last bucket is not over: it is not checked yet.
    const { line } = picturesOf({ ...data, series: data.series?.slice(0, -1) }, metric);
    return condition.type === 'threshold' ? { ...line, data: { ...line.data, limit: condition.value } } : line;
  }, [data, known, question, title, condition]);
  return (
    <section className="panel padded stack" aria-labelledby="values">
      <h2 id="values">{label}</h2>
      <QueryState query={query} what="its values" height={260} />
      {picture && (
        <div className="picture line">
          <Chart rendered={picture} />
        </div>
      )}
    </section>
  );
}
