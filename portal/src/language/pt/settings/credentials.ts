/** Secrets that connectors send. */
export const credentials = {
  Credentials: 'Credenciais',
  'New credential': 'Nova credencial',
  'The passwords, tokens and keys that connectors send to other systems. They are stored sealed, go to their hosts alone, and are never shown.':
    'As senhas, os tokens e as chaves que os conectores enviam a outros sistemas. Ficam cifrados, vão só aos seus hosts e nunca são mostrados.',
  'Search credentials by name, host or connector': 'Buscar credenciais por nome, host ou conector',
  'Credentials, by name': 'Credenciais, por nome',
  'No credential yet': 'Nenhuma credencial ainda',
  'No credential matches': 'Nenhuma credencial corresponde',
  'Set one before the connector that needs it: docs/connectors.md has an example. Connectors without authentication need none.':
    'Defina uma antes do conector que precisa dela: docs/connectors.md traz um exemplo. Conectores sem autenticação não precisam de nenhuma.',
  'Show all credentials': 'Mostrar todas as credenciais',
  'Pages of credentials': 'Páginas de credenciais',
  'No connector lists it': 'Nenhum conector a lista',
  'Replace …': 'Substituir …',
  'Hosts …': 'Hosts …',
  'Remove …': 'Remover …',
  'Replace the secret of {name}': 'Substituir o segredo de {name}',
  'Change the hosts of {name}': 'Alterar os hosts de {name}',
  'Remove {name}': 'Remover {name}',
  'Sent to {hosts}': 'Enviada para {hosts}',
  'Sent to {hosts} as {username}': 'Enviada para {hosts} como {username}',
  '{connectors}: change that first.': '{connectors}: altere isso primeiro.',
  'set {time}': 'definida em {time}',
  'last used {time}': 'último uso em {time}',
  'no call has used it': 'nenhuma chamada a usou',
  'Connectors {names} list it': { one: 'O conector {names} a lista', other: 'Os conectores {names} a listam' },
  Set: 'Definir',
  'The credential was set': 'A credencial foi definida',
  'It is stored sealed and never shown again.': 'Ela fica cifrada e nunca mais é mostrada.',
  Replace: 'Substituir',
  'The secret was replaced': 'O segredo foi substituído',
  'Calls use the new secret within a second. Its hosts stay.':
    'As chamadas usam o novo segredo em até um segundo. Os hosts continuam os mesmos.',
  'The hosts were changed': 'Os hosts foram alterados',
  'Other hosts need the secret again: whoever could name them without knowing it could have it sent to a server of their own.':
    'Outros hosts exigem o segredo de novo: quem pudesse indicá-los sem conhecê-lo poderia mandá-lo para um servidor próprio.',
  'The credential was removed': 'A credencial foi removida',
  'Connectors name it by this. It cannot be changed.':
    'Os conectores a chamam por este nome. Ele não pode ser alterado.',
  'User name or client id': 'Nome de usuário ou id do cliente',
  'Empty where there is none.': 'Deixe vazio se não houver.',
  Hosts: 'Hosts',
  'One on each line: api.example.com. The secret goes to these alone; with OAuth the host of the token URL, too.':
    'Um por linha: api.example.com. O segredo vai só a estes; com OAuth, também ao host da URL do token.',
  'The password, token, key or client secret.': 'A senha, o token, a chave ou o segredo do cliente.',
  'New secret': 'Novo segredo',
  Secret: 'Segredo',
  'Remove {name}?': 'Remover {name}?',
  'The secret is deleted for good. To use it again, set it again.':
    'O segredo é excluído de vez. Para usá-lo de novo, defina-o de novo.',
  'The secret is deleted for good, and calls that name it fail. To use it again, set it again.':
    'O segredo é excluído de vez, e chamadas que o citam falham. Para usá-lo de novo, defina-o de novo.',
};
