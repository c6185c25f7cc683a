import { groupNameOf } from '../../../../src/charts/text.ts';
import { barOf, type Contribution } from './state.ts';
import type { ValueFormatter } from './words.ts';

interface ContributionsProps {
  property: string;
  groups: readonly Contribution[];
  /** The groups of all properties: their bars have one scale. */
  all: readonly Contribution[];
  formatter: ValueFormatter;
}

/** The groups of a property, ranked, with what each contributes; of a ratio by its own rate and by its weight. */
export function Contributions({ property, groups, all, formatter }: ContributionsProps) {
  const isRatio = groups.some(({ rateEffect }) => rateEffect !== undefined);
  const scale = all.flatMap(({ contribution, rateEffect = 0, mixEffect = 0 }) => [contribution, rateEffect, mixEffect]);
  const unit = formatter.unit === null ? '' : ` (${formatter.unit})`;
  return (
    <section className="panel stack tight contributions" aria-label={`By ${property}`}>
      <h2 dir="auto">By {property}</h2>
      <section className="scroll" tabIndex={0} aria-label={`Groups of ${property}`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <td className="bars" />
              <th scope="col" className="number">
                Contribution{unit}
              </th>
              {isRatio && (
                <>
                  <th scope="col" className="number of-rate">
                    Rate
                  </th>
                  <th scope="col" className="number of-mix">
                    Mix
                  </th>
                </>
              )}
              <th scope="col" className="number">
                Before
              </th>
              <th scope="col" className="number">
                Now
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((one) => (
              <tr key={JSON.stringify(one.group)}>
                <th scope="row" dir="auto">
                  {groupNameOf(one.group)}
                </th>
                <td className="bars" aria-hidden="true">
                  <Bar value={one.contribution} scale={scale} />
                  {isRatio && <Bar of="rate" value={one.rateEffect ?? 0} scale={scale} />}
                  {isRatio && <Bar of="mix" value={one.mixEffect ?? 0} scale={scale} />}
                </td>
                <td className="number">{formatter.amount(one.contribution)}</td>
                {isRatio && (
                  <>
                    <td className="number">{formatter.amount(one.rateEffect ?? null)}</td>
                    <td className="number">{formatter.amount(one.mixEffect ?? null)}</td>
                  </>
                )}
                <td className="number">{formatter.value(one.previous)}</td>
                <td className="number">{formatter.value(one.current)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isRatio && (
        <p className="small muted">
          Of each contribution, rate is what the group’s own rate changed, mix what the change of its weight did.
        </p>
      )}
    </section>
  );
}

/** A bar that begins at 0. */
function Bar({ of, value, scale }: { of?: 'rate' | 'mix'; value: number; scale: readonly number[] }) {
  const { start, size, zero } = barOf(value, scale);
  const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
  return (
    <span className={of === undefined ? 'bar' : `bar of-${of}`}>
      <span className="bar-zero" style={{ insetInlineStart: percent(zero) }} />
      <span className="bar-value" style={{ insetInlineStart: percent(start), inlineSize: percent(size) }} />
    </span>
  );
}
