#pragma once

/// Texts of the catalogue files, terminated by a zero byte.
const char *catalogue_en(void);
const char *catalogue_zh_Hans(void);
const char *catalogue_ja(void);
const char *catalogue_ru(void);
