/** The page: whether Fanseek is selected, then every group of settings the schema has. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.panel.js',
  factory: () => {
    const OURS = 'unified';
    const SAME = '\u200b';

    function make(kit) {
      const { React, h, values, service, useForm, useLang, useWords, useAsked, filled } = kit;
      const { Page, Look, Foreign, Button, Trouble, Fields, Engines, History } = kit;

      /** The harness's own switch for web search deselects us without a word; one click takes that back. */
      function Selection({ say }) {
        const t = useWords();
        const { status, value, writable } = useForm(service.web);
        if (status !== 'ready' || value?.searchProvider === OURS) return null;
        const other = value?.searchProvider;
        const words = other
          ? filled(t('deselected', { provider: '{provider}' }), { provider: h(Foreign, { text: other }) })
          : t('undecided');
        const select = async () => say(t((await service.select()) ? 'selected' : 'selectFailed'));
        return h('div', { className: 'fanseek-card fanseek-warning', role: 'alert', 'data-deselected': true },
          h('div', { className: 'fanseek-line' },
            h('p', null, words),
            h(Button, { disabled: !writable, onClick: select }, t('select'))));
      }

      /** What a screen reader is told; the same words twice count as new. */
      function useSaid() {
        const [said, setSaid] = React.useState('');
        const say = React.useCallback((words) => setSaid((before) => (before === words ? words + SAME : words)), []);
        return [said, say];
      }

      function Group({ name, names, engines }) {
        const { words, t } = React.useContext(Page);
        const id = React.useId();
        const title = words.groups?.[name] ?? name;
        if (name === 'sources') {
          return h(React.Fragment, null,
            h(Engines, { engines }),
            h('section', { 'aria-labelledby': id }, h('h3', { id }, `${title}: ${t('general')}`), h(Fields, { names })));
        }
        return h('section', { 'aria-labelledby': id, 'data-group': name },
          h('h3', { id }, title),
          h(Fields, { names }),
          name === 'history' ? h(History) : null);
      }

      function Groups({ schema }) {
        const { general, engines } = React.useMemo(() => values.arranged(schema), [schema]);
        return [...general].map(([name, names]) => h(Group, { key: name, name, names, engines }));
      }

      function Settings({ say }) {
        const t = useWords();
        const lang = useLang();
        const snapshot = useForm(service.form);
        const { value: body, problem, again } = useAsked(() => service.schema(), []);
        if (snapshot.status === 'unavailable') return h('p', { role: 'alert' }, t('unavailable'));
        const shared = {
          t, lang, say, snapshot, schema: body?.schema, words: body?.words?.[lang] ?? {}, disabled: !snapshot.writable,
        };
        let content;
        if (problem) content = h(Trouble, { code: 'schemaFailed', why: problem, again });
        else if (!body || snapshot.status !== 'ready') content = h('p', { role: 'status' }, t('loading'));
        else content = h(Groups, { schema: body.schema });
        return h(Page.Provider, { value: shared },
          snapshot.status === 'ready' && !snapshot.writable ? h('p', { role: 'status' }, t('readOnly')) : null,
          content);
      }

      function Panel() {
        const lang = useLang();
        const [said, say] = useSaid();
        return h('div', { className: 'fanseek', lang: lang === 'zh' ? 'zh-CN' : lang },
          h(Look),
          h(Selection, { say }),
          h(Settings, { say }),
          h('p', { className: 'fanseek-said', role: 'status', 'aria-live': 'polite', 'data-said': true }, said));
      }

      return { Panel };
    }

    return { make };
  },
});
