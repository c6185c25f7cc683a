import { z } from 'zod';

export const CHAT_ROLES = ['system', 'user', 'assistant', 'tool'] as const;

const text = z
  .string('must be a string')
  .refine((value) => value.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode');

/** One part of a multimodal message. */
export const contentPartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('Text.'), text: text.describe('The text.') }),
  z.strictObject({
    type: z.literal('image_url').describe('An image.'),
    image_url: z
      .strictObject({
        url: text.min(1, 'must not be empty').describe('An address or a data: URL.'),
        detail: z.enum(['auto', 'low', 'high']).optional().describe('How closely it is to be looked at.'),
      })
      .describe('Where it is.'),
  }),
  z.strictObject({
    type: z.literal('file').describe('A file.'),
    file: z
      .strictObject({
        filename: text.min(1, 'must not be empty').max(255, 'must have at most 255 characters').describe('Its name.'),
        file_data: text.min(1, 'must not be empty').describe('A data: URL, or base64.'),
      })
      .describe('What is in it.'),
  }),
]);
export type ContentPart = z.output<typeof contentPartSchema>;

/** A message as applications send it to be completed, and as executions keep it. */
export const chatMessageSchema = z
  .strictObject({
    role: z.enum(CHAT_ROLES, `must be one of ${CHAT_ROLES.join(', ')}`).describe('Who speaks.'),
    content: z
      .union([text, z.array(contentPartSchema).min(1, 'must hold at least one part'), z.null()], {
        error: 'must be a string or an array of content parts',
      })
      .describe('Text, or parts; null only beside tool_calls.'),
    tool_calls: z.array(z.record(z.string(), z.unknown())).min(1).optional().describe('On assistant messages.'),
    tool_call_id: text.optional().describe('On tool messages: the call that is answered.'),
    name: text.optional().describe('On tool messages: the name of the tool.'),
  })
  .superRefine(({ role, content, tool_calls: calls }, context) => {
    if (content === null && calls === undefined) {
      context.addIssue({ code: 'custom', path: ['content'], message: 'is null; only a message with tool_calls may' });
    }
    if (calls !== undefined && role !== 'assistant') {
      context.addIssue({ code: 'custom', path: ['tool_calls'], message: 'is only for assistant messages' });
    }
  });
export type ChatMessage = z.output<typeof chatMessageSchema>;
