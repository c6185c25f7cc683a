import { useMemo, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import type { Metric } from '../../../api/metrics.ts';
import { Chart } from '../../../card/chart.tsx';
import { DataTable } from '../../../card/data-table.tsx';
import { basisInWords, notesForPeople } from '../../../card/words.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { picturesOf } from '../format.ts';

/** The value of the last 30 days and a line of their days. */
export function MetricPreview({ metric }: { metric: Metric }) {
  const [isTable, setTable] = useState(false);
  const agentId = useAgent() ?? '*';
  const query = api.useQuery('post', AGGREGATE, {
    body: { metric: metric.name, agentId, dateFrom: '-30d', dateGrouping: 'day', compareTo: 'previous_period' },
  });
  const { data } = query;
  const pictures = useMemo(() => (data ? picturesOf(data, metric) : null), [data, metric]);
  return (
    <section className="panel padded stack" aria-labelledby="preview">
      <div className="row">
        <h2 id="preview" className="grow">
          Last 30 days
        </h2>
        <Button icon="table" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </div>
      <QueryState query={query} what="its values" height={320} />
      {pictures && (
        <>
          <div className="picture value">
            <Chart rendered={pictures.value} />
          </div>
          <div className="picture line">
            {isTable ? <DataTable rendered={pictures.line} /> : <Chart rendered={pictures.line} />}
          </div>
          <div className="small muted">
            <p>
              {basisInWords(pictures.line.basis, navigator.language)}
              <CasesLink isInline cases={data?.basis.cases} />
            </p>
            {notesForPeople(data?.note === undefined ? [] : [data.note]).map((note) => (
              <p key={note}>{note}</p>
            ))}
          </div>
        </>
      )}
    </section>
  );
}
