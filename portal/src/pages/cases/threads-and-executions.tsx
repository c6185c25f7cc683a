import type { ReactNode } from 'react';
import type { Cases } from './state.ts';

/** The threads of the events, with the executions that were recorded with each. */
export function Threads({ cases: { threads, totalThreads } }: { cases: Cases }) {
  return (
    <CountTable name="Threads" shown={threads.length} total={totalThreads} none="No event belongs to a thread.">
      <thead>
        <tr>
          <th scope="col">Thread</th>
          <th scope="col" className="number">
            Events
          </th>
          <th scope="col">Executions</th>
        </tr>
      </thead>
      <tbody>
        {threads.map(({ threadId, events, executionIds }) => (
          <tr key={threadId}>
            <td>{threadId}</td>
            <td className="number">{events.toLocaleString()}</td>
            <td>
              <Ids ids={executionIds} />
            </td>
          </tr>
        ))}
      </tbody>
    </CountTable>
  );
}

/** The executions that events name. */
export function Executions({ cases: { executions, totalExecutions } }: { cases: Cases }) {
  return (
    <CountTable name="Executions" shown={executions.length} total={totalExecutions} none="No event names an execution.">
      <thead>
        <tr>
          <th scope="col">Execution</th>
          <th scope="col" className="number">
            Events
          </th>
        </tr>
      </thead>
      <tbody>
        {executions.map(({ executionId, events }) => (
          <tr key={executionId}>
            <td>{executionId}</td>
            <td className="number">{events.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </CountTable>
  );
}

interface CountTableProps {
  name: 'Threads' | 'Executions';
  shown: number;
  total: number;
  none: string;
  children: ReactNode;
}

function CountTable({ name, shown, total, none, children }: CountTableProps) {
  const id = name.toLowerCase();
  return (
    <section className="stack tight" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {total === 0 && <p className="small muted">{none}</p>}
      {shown < total && <p className="small muted">The {shown} with the most events</p>}
      {total > 0 && (
        <section className="panel scroll count-table" aria-label={`Table of ${id}`} tabIndex={0}>
          <table className="table">{children}</table>
        </section>
      )}
    </section>
  );
}

/** A single id is shown; more are folded. */
function Ids({ ids }: { ids: readonly string[] }) {
  if (ids.length < 2) return ids[0] ?? <span className="muted">None</span>;
  return (
    <details>
      <summary>{ids.length}</summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
    </details>
  );
}
