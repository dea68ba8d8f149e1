/** The last searches, and how to forget them. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.history.js',
  factory: () => {
    function make({ React, h, values, service, usePage, useAsked, Foreign, Button, Trouble }) {
      function Searches({ entries }) {
        const { t, lang } = usePage();
        const cell = (content) => h('td', null, content);
        const row = ({ query, time, resultCount, backendsOk, backendsTotal }, place) => h('tr', { key: place },
          cell(new Date(time).toLocaleString(lang)),
          cell(h(Foreign, { text: query })),
          cell(values.plain(resultCount)),
          cell(t('answeredOf', { ok: values.plain(backendsOk), total: values.plain(backendsTotal) })));
        const heads = ['time', 'query', 'results', 'answered'];
        return h('table', null,
          h('caption', null, t('searches')),
          h('thead', null, h('tr', null, heads.map((code) => h('th', { key: code, scope: 'col' }, t(code))))),
          h('tbody', null, entries.map(row)));
      }

      /** Asks once more before it forgets; the focus stays where the hands are. */
      function Clear({ number, cleared }) {
        const { t, say } = usePage();
        const [sure, setSure] = React.useState(false);
        const first = React.useRef();
        const moved = React.useRef(false);
        React.useEffect(() => {
          if (moved.current) first.current?.focus();
          moved.current = true;
        }, [sure]);

        async function forget() {
          try {
            const { cleared: done } = await service.clear();
            say(done ? t('cleared') : t('clearFailed', { why: '' }));
          } catch (trouble) {
            say(t('clearFailed', { why: values.plain(trouble?.message) }));
          }
          setSure(false);
          cleared();
        }

        if (!sure) {
          return h(Button, { ref: first, 'aria-disabled': number === 0, onClick: () => { if (number) setSure(true); } }, t('clear'));
        }
        const keys = (event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setSure(false);
        };
        return h('div', { className: 'fanseek-row', role: 'group', 'aria-label': t('clearSure', { n: number }), onKeyDown: keys },
          h('span', null, t('clearSure', { n: number })),
          h(Button, { onClick: forget }, t('clearYes')),
          h(Button, { ref: first, onClick: () => setSure(false) }, t('clearNo')));
      }

      function History() {
        const { t } = usePage();
        const history = useAsked(() => service.history(), []);
        const { value, problem, again } = history;
        React.useEffect(() => {
          const seen = () => { if (document.visibilityState === 'visible') again(); };
          document.addEventListener('visibilitychange', seen);
          return () => document.removeEventListener('visibilitychange', seen);
        }, [again]);
        const entries = value?.entries ?? [];
        return h('div', { className: 'fanseek-card', 'data-history': true },
          h('div', { className: 'fanseek-line' },
            h('h4', null, t('searches')),
            h(Button, { onClick: again }, t('refresh')),
            h(Clear, { number: entries.length, cleared: again })),
          problem ? h(Trouble, { code: 'searchesFailed', why: problem, again }) : null,
          value && entries.length === 0 ? h('p', { className: 'fanseek-quiet' }, t('searchesNone')) : null,
          entries.length ? h(Searches, { entries }) : null);
      }

      return { History };
    }

    return { make };
  },
});
