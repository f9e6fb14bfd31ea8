// Filled by the change that adds this module.
