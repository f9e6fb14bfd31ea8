#pragma once

/// Texts of the catalogues, as their files have them, with a zero byte at the end.
const char *catalogue_en(void);
const char *catalogue_zh_Hans(void);
const char *catalogue_ja(void);
const char *catalogue_ru(void);
