import { sideText } from './state.ts';

interface ChangesProps {
  changes: readonly { path: string; before?: unknown; after?: unknown }[];
  from: number;
  to: number;
}

/** The differences of two versions, member by member. */
export function Changes({ changes, from, to }: ChangesProps) {
  if (changes.length === 0) return <p className="muted">They are equal.</p>;
  return (
    <section className="scroll" aria-label={`Version ${from} and version ${to}`} tabIndex={0}>
      <table className="table diff">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Version {from}</th>
            <th scope="col">Version {to}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const [before, after] = [sideText(change, 'before'), sideText(change, 'after')];
            return (
              <tr key={change.path}>
                <th scope="row">{change.path}</th>
                <td>{before === null ? <Nothing /> : <del>{before}</del>}</td>
                <td>{after === null ? <Nothing /> : <ins>{after}</ins>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Nothing() {
  return <span className="muted">not there</span>;
}
