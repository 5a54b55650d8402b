import eslint from '@eslint/js';
import angular from 'angular-eslint';
import tseslint from 'typescript-eslint';

/** Imports that would tie a framework-free file to Angular. */
const NO_ANGULAR = {
  patterns: [
    {
      group: ['@angular/*', 'rxjs', 'rxjs/*'],
      message: 'This file must stay free of any framework.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.angular/'] },
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
      'no-restricted-properties': ['error', { property: 'innerHTML' }],
      eqeqeq: 'error',
    },
  },
  {
    // Only components, pages, providers and the bootstrap know Angular.
    files: ['src/app/**/*.ts'],
    ignores: ['**/*.component.ts', '**/*.page.ts', '**/*.service.ts', 'src/app/app.*.ts'],
    rules: { 'no-restricted-imports': ['error', NO_ANGULAR] },
  },
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
  },
);
