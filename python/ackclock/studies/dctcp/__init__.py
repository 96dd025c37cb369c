"""DCTCP in a data centre (Alizadeh et al. 2010); see ``study``."""
