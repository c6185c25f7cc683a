import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';

interface RecentErrorsProps {
  errors: Schemas['System']['recentErrors'];
  logLevel: string;
}

/** The last warnings and errors of the log of this process. */
export function RecentErrors({ errors, logLevel }: RecentErrorsProps) {
  if (errors.length === 0) {
    return (
      <div className="panel">
        <EmptyState title={t('No errors since the start')}>
          <p>
            {t.nodes('The last 100 warnings and errors of the log stand here; its level is {level}.', {
              level: <code>{logLevel}</code>,
            })}
          </p>
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <p className="muted">
        {t('The last {number} of this process, newest first. The log has the rest of each line.', {
          number: errors.length,
        })}
      </p>
      <ItemList label={t('Recent errors')}>
        {errors.map((line, index) => (
          <Item
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and their list is replaced as a whole
            key={index}
            title={line.message}
            beside={
              <Badge tone={line.level === 'warn' ? 'warning' : 'bad'}>
                {line.level === 'warn' ? t('Warning') : t('Error')}
              </Badge>
            }
            end={
              line.requestId !== null && (
                <CopyButton text={line.requestId} label={t('Copy the request id {id}', { id: line.requestId })}>
                  {t('Request id')}
                </CopyButton>
              )
            }
          >
            {line.detail !== null && <p className="small">{line.detail}</p>}
            <p className="small muted">
              <Time iso={line.at} />
            </p>
          </Item>
        ))}
      </ItemList>
    </>
  );
}
