import { t } from '../../../language/index.ts';
import { Badge } from '../../../ui/item-list.tsx';
import { When } from '../../../ui/time.tsx';
import { amountOf, type QuotaUsage, WORDS } from './state.ts';

/** The server warns from this share on, too. */
const NEARLY = 0.8;

/** Quotas as bars: used, reserved and left, in words beside the colours. */
export function QuotaBars({ label, quotas }: { label: string; quotas: readonly QuotaUsage[] }) {
  return (
    <ul className="stack" aria-label={label}>
      {quotas.map((quota) => (
        <li key={quota.quota} className="stack tight">
          <Quota usage={quota} owner={label} />
        </li>
      ))}
    </ul>
  );
}

function Quota({ usage, owner }: { usage: QuotaUsage; owner: string }) {
  const { quota, limit, used, reserved, windowEnd } = usage;
  const { label } = WORDS[quota];
  // Its use is that of the last seconds: no bar of it is true when it is read.
  if (quota === 'requests-per-minute') {
    return (
      <p>{t.nodes('{quota}: at most {amount}', { quota: <strong>{label}</strong>, amount: amountOf(quota, limit) })}</p>
    );
  }
  const share = limit === 0 ? 1 : (used + reserved) / limit;
  return (
    <>
      <div className="row">
        <strong className="grow">{label}</strong>
        {share >= 1 ? (
          <Badge tone="bad">{t('Reached')}</Badge>
        ) : (
          share >= NEARLY && <Badge tone="warning">{t('Nearly reached')}</Badge>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element shows no second part */}
      <div
        className={`meter ${share >= 1 ? 'bad' : share >= NEARLY ? 'warning' : ''}`}
        role="meter"
        aria-label={`${label}, ${owner}`}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(limit, used + reserved)}
        aria-valuetext={inWords(usage)}
      >
        <span style={{ inlineSize: percentOf(used, limit) }} />
        <span className="reserved" style={{ inlineSize: percentOf(Math.min(reserved, limit - used), limit) }} />
      </div>
      <p className="small muted">
        {inWords(usage)}
        <When lead=" · " text="resets on {time}" iso={windowEnd} />
      </p>
    </>
  );
}

function percentOf(part: number, whole: number): string {
  if (whole === 0) return '100%';
  return `${Math.max(0, Math.min(100, (part / whole) * 100))}%`;
}

function inWords({ quota, limit, used, reserved, remaining, unit }: QuotaUsage): string {
  const left = { left: amountOf(quota, remaining), limit: amountOf(quota, limit) };
  return [
    t('{amount} used', { amount: amountOf(quota, used) }),
    ...(reserved > 0 ? [t('{amount} reserved', { amount: amountOf(quota, reserved) })] : []),
    unit === 'tokens'
      ? t('{left} left of {limit} tokens', left)
      : unit === 'events'
        ? t('{left} left of {limit} events', left)
        : t('{left} left of {limit}', left),
  ].join(' · ');
}
