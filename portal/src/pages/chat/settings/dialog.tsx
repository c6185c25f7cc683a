import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/field.tsx';
import type { Conversation } from '../state/conversation.ts';
import type { Source } from '../state/sides.ts';
import type { ChatActions } from '../use-chat.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { ToolFields } from './tool-fields.tsx';

interface SettingsProps {
  conversation: Conversation;
  sources: readonly Source[];
  change: ChatActions['change'];
  onClose(): void;
}

/** Instructions, parameters and tools of the conversation. Changes hold from the next request on. */
export default function Settings({ conversation, sources, change, onClose }: SettingsProps) {
  return (
    <Dialog open place="side" onClose={onClose} title={t('Parameters and tools')}>
      <TextArea
        label={t('System instructions')}
        help={t('They come before the messages.')}
        dir="auto"
        rows={4}
        value={conversation.instructions}
        onChange={(event) => change({ instructions: event.currentTarget.value })}
      />
      <ParameterFields conversation={conversation} sources={sources} change={change} />
      <ToolFields tools={conversation.tools} onChange={(tools) => change({ tools })} />
      <div className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  );
}
