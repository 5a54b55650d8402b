import eslint from '@eslint/js';
import angular from 'angular-eslint';
import tseslint from 'typescript-eslint';

/** Imports that would tie a framework-free file to Angular. */
const NO_ANGULAR = {
  group: ['@angular/*', 'rxjs', 'rxjs/*'],
  message: 'This file must stay free of any framework.',
};

/** Only components, pages, providers and the bootstrap know Angular. */
const WITH_ANGULAR = ['**/*.component.ts', '**/*.page.ts', '**/*.service.ts', 'src/app/app.*.ts'];

/** The folders of the page: each may import those before it and none after it, so there is no cycle. */
const LAYERS = [
  'deephaven',
  'format',
  'live-rows',
  'topic-looks',
  'session',
  'catalogue',
  'freshness',
  'grid',
  'panel',
  'cards',
  'pages',
  'operations',
  'shell',
  'login',
];

/** What a file may not import from other folders; `up` is the way from it to all of them. */
function layerOf(folder, up) {
  const below = LAYERS.slice(0, LAYERS.indexOf(folder) + 1).join('|');
  return {
    regex: `^${up}(?!(${below})/|.*package\\.json$)`,
    message: `Files in ${folder}/ may import only ${below.replaceAll('|', ', ')}.`,
  };
}

/** What would write numbers and times in its own way, in code and in templates. */
const WRITING = [
  'toFixed',
  'toPrecision',
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
];
const WRITTEN_ELSEWHERE = 'Numbers and times are written by format/.';
const NO_INNER_HTML = { property: 'innerHTML' };
const ONE_CLIPBOARD = {
  object: 'navigator',
  property: 'clipboard',
  message: 'Use session/copy-text.',
};

/** The rules of a folder, for its own files and for those in folders inside of it. */
function layer(folder) {
  return [
    [`src/app/${folder}/*.ts`, '\\.\\./'],
    [`src/app/${folder}/*/*.ts`, '\\.\\./\\.\\./'],
  ].flatMap(([files, up]) => {
    const patterns = [layerOf(folder, up)];
    return [
      { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } },
      {
        files: [files],
        ignores: WITH_ANGULAR,
        rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, NO_ANGULAR] }] },
      },
    ];
  });
}

export default tseslint.config(
  { ignores: ['node_modules/', '.angular/'] },
  {
    files: ['**/*.ts'],
    extends: [
      eslint.configs.recommended,
      ...tseslint.configs.strict,
      ...tseslint.configs.stylistic,
      ...angular.configs.tsRecommended,
    ],
    processor: angular.processInlineTemplates,
    rules: {
      '@angular-eslint/component-selector': [
        'error',
        { type: 'element', prefix: 'tg', style: 'kebab-case' },
      ],
      '@angular-eslint/prefer-on-push-component-change-detection': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        NO_INNER_HTML,
        ONE_CLIPBOARD,
        ...WRITING.map((property) => ({ property, message: WRITTEN_ELSEWHERE })),
      ],
      'no-restricted-globals': ['error', { name: 'Intl', message: WRITTEN_ELSEWHERE }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/app/format/*.ts'],
    rules: {
      'no-restricted-properties': ['error', NO_INNER_HTML, ONE_CLIPBOARD],
      'no-restricted-globals': 'off',
    },
  },
  {
    files: ['src/app/session/copy-text.ts'],
    rules: { 'no-restricted-properties': ['error', NO_INNER_HTML] },
  },
  ...LAYERS.flatMap(layer),
  {
    // The one place that touches an untyped module.
    files: ['src/app/deephaven/jsapi.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/testing/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.html'],
    extends: [...angular.configs.templateRecommended, ...angular.configs.templateAccessibility],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: `[name=/^(${WRITING.join('|')})$/]`, message: WRITTEN_ELSEWHERE },
      ],
    },
  },
);
