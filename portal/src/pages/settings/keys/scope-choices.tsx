import { useId } from 'react';
import { t } from '../../../language/index.ts';
import { scopeText } from './scopes.ts';
import type { KeyScope } from './types.ts';

interface ScopeChoicesProps<Scope> {
  legend: string;
  /** The scopes, and whether the user may give each. */
  scopes: readonly { scope: Scope; grantable: boolean }[];
  chosen: ReadonlySet<Scope>;
  error?: string | undefined;
  onChoose(chosen: ReadonlySet<Scope>): void;
}

/** Check boxes of what a key or an application may do. */
export function ScopeChoices<Scope extends KeyScope>(props: ScopeChoicesProps<Scope>) {
  const { legend, scopes, chosen, error, onChoose } = props;
  const id = useId();
  const toggle = (scope: Scope) => {
    const changed = new Set(chosen);
    if (!changed.delete(scope)) changed.add(scope);
    onChoose(changed);
  };
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {error && (
        <p id={id} className="field-error" role="alert">
          {error}
        </p>
      )}
      {scopes.map(({ scope, grantable }) => (
        <label key={scope} className="choice">
          <input
            type="checkbox"
            checked={chosen.has(scope)}
            disabled={!grantable}
            aria-invalid={grantable && error !== undefined}
            aria-describedby={error && id}
            onChange={() => toggle(scope)}
          />
          <span>
            {scopeText(scope)}
            <span className="small muted">
              {' '}
              <code>{scope}</code>
              {!grantable && ` · ${t('your role does not have it')}`}
            </span>
          </span>
        </label>
      ))}
      {scopes.length === 0 && <p>{t('Nothing: it asks for nothing that this server knows.')}</p>}
    </fieldset>
  );
}
